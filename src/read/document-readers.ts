import type { TenantDb } from "../persistence/tenant-db.js";
import { createDocumentReader, type ReadRowDocuments } from "./documents.js";
import { createReasonCodeReader, type ReadReasonCodes } from "./reason-codes.js";
import { createSegmentReader } from "./segments.js";

/** What pages and reports read of the documents, from the same decoded segments. */
export interface DocumentReaders {
  documents: ReadRowDocuments;
  reasonCodes: ReadReasonCodes;
}

export function createDocumentReaders(tenants: TenantDb): DocumentReaders {
  const readSegments = createSegmentReader(tenants);
  return {
    documents: createDocumentReader(readSegments),
    reasonCodes: createReasonCodeReader(readSegments),
  };
}
