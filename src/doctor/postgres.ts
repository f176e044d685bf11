import { loadMigrationFiles } from "postgres-migrations";
import pg, { type Client } from "pg";
import { decisionIdFingerprint } from "../path/decide/identity/node-identity.js";
import { ownFile } from "../platform/node/own-files.js";
import { assertMigrationsSurvived, livingNodes } from "../platform/postgres/living-nodes.js";
import { assertSupportedPostgres } from "../platform/postgres/postgres-version.js";
import { lookAtTenantRole } from "../platform/postgres/tenant-role.js";
import type { Settings } from "../platform/settings/settings.js";
import { now } from "../platform/timing/clock.js";
import { findings, type Finding, type Report } from "./finding.js";
import { checkRetention } from "./retention.js";

const CONNECT_MS_MAX = 5000;
/** The most connections that all threads of a node open together. */
const NODE_CONNECTIONS_MAX = 24;
/** With a larger clock offset, this node would date decisions differently from other nodes. */
const CLOCK_NOTE_MS = 1000;
const CLOCK_WRONG_MS = 5000;

/** DOC-2: makes all checks that a start makes on PostgreSQL, without changing anything. */
export async function checkPostgres(settings: Settings): Promise<Finding[]> {
  const { database } = settings;
  if (database.kind === "embedded") {
    const text = "DATABASE_URL is not set: the service starts its own, under DATA_DIR";
    return [{ state: "skipped", subject: "postgresql", text }];
  }
  const client = new pg.Client({
    connectionString: database.url,
    connectionTimeoutMillis: CONNECT_MS_MAX,
    statement_timeout: CONNECT_MS_MAX,
    application_name: "payinference-doctor",
  });
  client.on("error", () => undefined);
  try {
    const reached = await findings("postgresql", async () => {
      await client.connect();
      await assertSupportedPostgres(client);
    });
    if (reached.length > 0) return reached;
    return [
      ...(await findings("postgresql", (report) => checkServer(client, report))),
      ...(await findings("roles", (report) => checkRoles(client, report))),
      ...(await findings("schema", (report) => checkSchema(client, report))),
      ...(await findings("secret key", (report) => checkSecretKey(client, settings.secretKey, report))),
      ...(await findings("clock", (report) => checkClock(client, report))),
      ...(await findings("retention", (report) => checkRetention(client, settings.retentionDays, report))),
    ];
  } finally {
    await client.end().catch(() => undefined);
  }
}

interface Server {
  version: string;
  encoding: string;
  is_standby: boolean;
  is_read_only: boolean;
  unsafe: string[];
  is_encrypted: boolean;
  is_remote: boolean;
  free_connections: number;
}

async function checkServer(client: Client, report: Report): Promise<void> {
  const { rows } = await client.query<Server>(
    `select current_setting('server_version') as version,
            current_setting('server_encoding') as encoding,
            pg_is_in_recovery() as is_standby,
            current_setting('default_transaction_read_only')::boolean as is_read_only,
            array(select name from pg_settings
                  where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name)
              as unsafe,
            coalesce((select ssl from pg_stat_ssl where pid = pg_backend_pid()), false) as is_encrypted,
            not coalesce(inet_server_addr() <<= '127.0.0.0/8' or inet_server_addr() = '::1', true) as is_remote,
            current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
              - (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as free_connections`,
  );
  const server = rows[0] as Server;
  if (server.encoding !== "UTF8")
    report("wrong", `the database's encoding is ${server.encoding}, and must be UTF8`);
  if (server.is_standby) report("wrong", "DATABASE_URL leads to a standby, which takes no writes");
  else if (server.is_read_only)
    report("wrong", "default_transaction_read_only is on for this user or database");
  if (server.unsafe.length > 0) {
    report("wrong", `${server.unsafe.join(" and ")} off: what is stored may be lost when the server crashes`);
  }
  if (server.free_connections < NODE_CONNECTIONS_MAX) {
    report(
      "note",
      `${Math.max(0, server.free_connections)} connections are free, and a node uses up to ${NODE_CONNECTIONS_MAX}`,
    );
  }
  if (server.is_remote && !server.is_encrypted) {
    report("note", "the connection is not encrypted: add sslmode=verify-full to DATABASE_URL");
  }
  report("ok", `version ${server.version} answers${server.is_encrypted ? " over TLS" : ""}`);
}

async function checkRoles(client: Client, report: Report): Promise<void> {
  const role = await lookAtTenantRole(client);
  const { rows } = await client.query<{ user_name: string; schema: string | null; may_create: boolean }>(
    `select current_user as user_name, current_schema() as schema,
            coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) as may_create`,
  );
  const { user_name: user, schema, may_create: mayCreate } = rows[0] as (typeof rows)[number];
  if (!mayCreate) {
    report(
      "wrong",
      `the user of DATABASE_URL may not create tables in the schema ${schema ?? "of its search_path"}`,
    );
    return;
  }
  const tenants = role === "there" ? "is granted" : "is made at the start";
  report("ok", `${user} may create tables, and the role of tenants ${tenants}`);
}

async function checkSchema(client: Client, report: Report): Promise<void> {
  const dir = ownFile("migrations");
  const own = await loadMigrationFiles(dir);
  const { rows: tables } = await client.query<{ known: boolean }>(
    "select to_regclass('migrations') is not null as known",
  );
  if (tables[0]?.known !== true) return report("ok", `is empty: the start runs all ${own.length} migrations`);
  const { rows: done } = await client.query<{ id: number; hash: string }>("select id, hash from migrations");
  const hashes = new Map(done.map(({ id, hash }) => [id, hash]));
  const changed = own.find(({ id, hash }) => (hashes.get(id) ?? hash) !== hash);
  if (changed !== undefined) {
    return report(
      "wrong",
      `the database has another ${changed.fileName}: it is not of this service's versions`,
    );
  }
  const newest = Math.max(...own.map(({ id }) => id));
  const later = done.filter(({ id }) => id > newest).length;
  if (later > 0) report("note", `${later} migrations are of a later version than this one`);
  await assertMigrationsSurvived(client, dir, null);
  const pending = own.filter(({ id }) => !hashes.has(id)).length;
  const alive = (await livingNodes(client, null)).length;
  const state = pending === 0 ? "is up to date" : `lacks ${pending} migrations, which the start runs`;
  report("ok", `${state}; nodes seen in the last ten minutes: ${alive}`);
}

async function checkSecretKey(client: Client, secretKey: string | null, report: Report): Promise<void> {
  const { rows: tables } = await client.query<{ known: boolean }>(
    "select to_regclass('decision_id_key') is not null as known",
  );
  const { rows } =
    tables[0]?.known === true
      ? await client.query<{ fingerprint: Buffer }>("select fingerprint from decision_id_key")
      : { rows: [] };
  const stored = rows[0]?.fingerprint;
  if (stored === undefined) return report("skipped", "no node has used this database yet");
  if (secretKey === null)
    return report("note", "SECRET_KEY is not set, so the database's own makes decision ids");
  if (!decisionIdFingerprint(secretKey).equals(stored)) {
    return report(
      "wrong",
      "SECRET_KEY is not the one of this database's nodes: outcomes are refused and stored secrets stay closed",
    );
  }
  report("ok", "SECRET_KEY is the one of this database's nodes");
}

async function checkClock(client: Client, report: Report): Promise<void> {
  const askedMs = now();
  const { rows } = await client.query<{ ms: number }>(
    "select extract(epoch from clock_timestamp())::float8 * 1000 as ms",
  );
  const answeredMs = now();
  const offsetMs = (rows[0]?.ms ?? Number.NaN) - (askedMs + answeredMs) / 2;
  const offMs = Math.abs(offsetMs);
  const text = `this host's clock is ${(offMs / 1000).toFixed(1)} s ${offsetMs > 0 ? "behind" : "ahead of"} PostgreSQL's`;
  if (offMs > CLOCK_WRONG_MS) return report("wrong", text);
  report(offMs > CLOCK_NOTE_MS ? "note" : "ok", text);
}
