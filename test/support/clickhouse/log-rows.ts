import type { Pool } from "pg";
import { decodeSegment } from "../../../src/path/writer/copy/decision-batch.js";
import type { TestClickHouse } from "./clickhouse.js";

type Row = Record<string, string | number | null>;

const COLUMNS = `workspace_id, mode, decision_id, decision_mode, action, risk_band, payment_method, card_network, country,
  currency, merchant_id, order_id, primary_provider, fallback_provider, amount_minor, latency_units, cost_minor,
  cost_dearest_minor, cost_first_minor`;
const OUTCOME_COLUMNS = `workspace_id, mode, decision_id, outcome, technical_failure_type, order_id, provider_used,
  provider_reason_code, provider_latency_ms, amount_minor, currency`;

/** The two servers have different text forms for numbers of 64 bits. */
const inWords = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, value === null ? null : String(value)]),
  );

interface Place {
  docs: Buffer;
  doc_offset: number;
  doc_bytes: number;
}

/** The decisions in PostgreSQL, oldest first, with their documents. */
export async function storedDecisions(pool: Pool): Promise<Row[]> {
  const { rows } = await pool.query<Place & Record<string, unknown>>(
    `select ${COLUMNS}, doc_offset, doc_bytes, s.docs from decisions d
     join decision_segments s using (workspace_id, segment_id) order by decision_id`,
  );
  return rows.map(({ docs, doc_offset, doc_bytes, ...row }) =>
    inWords({
      ...(row as Row),
      document: decodeSegment(docs).toString("utf8", doc_offset, doc_offset + doc_bytes),
    }),
  );
}

/** The decisions in ClickHouse, oldest first. A duplicate row is returned twice. */
export async function copiedDecisions(clickHouse: TestClickHouse): Promise<Row[]> {
  const rows = await clickHouse.rows<Row>(
    `select ${COLUMNS}, document from decisions order by toUInt128(decision_id)`,
  );
  return rows.map(inWords);
}

const REPORTED = "(extract(epoch from reported_at) * 1000000)::bigint as reported_at_us";

export async function storedOutcomes(pool: Pool): Promise<Row[]> {
  const { rows } = await pool.query<Row>(
    `select ${OUTCOME_COLUMNS}, ${REPORTED} from outcomes order by decision_id`,
  );
  return rows.map(inWords);
}

/** The newest version of each outcome. */
export async function copiedOutcomes(clickHouse: TestClickHouse): Promise<Row[]> {
  const rows = await clickHouse.rows<Row>(
    `select ${OUTCOME_COLUMNS}, reported_at_us from outcomes final order by toUInt128(decision_id)`,
  );
  return rows.map(inWords);
}
