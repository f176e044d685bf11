import type { TenantDb } from "../../platform/postgres/tenant-db.js";
import { readReasonCodes } from "../../path/document/decision-document.js";
import { listRowHead } from "./decision-list-row.js";
import { createRowTextReader, type ReadRowTexts } from "./row-texts.js";
import { createReasonCodeReader, type ReadReasonCodes } from "./reason-codes.js";
import { createSegmentReader } from "./segments.js";

/** The parts of documents that pages and reports read. All three readers share the decoded segments. */
export interface DocumentReaders {
  rowHeads: ReadRowTexts;
  reasonCodes: ReadReasonCodes;
  /** Each row's own reason codes, as JSON. */
  rowReasonCodes: ReadRowTexts;
}

export function createDocumentReaders(tenants: TenantDb): DocumentReaders {
  const readSegments = createSegmentReader(tenants);
  return {
    rowHeads: createRowTextReader(readSegments, listRowHead),
    reasonCodes: createReasonCodeReader(readSegments),
    rowReasonCodes: createRowTextReader(readSegments, readReasonCodes),
  };
}
