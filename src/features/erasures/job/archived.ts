import { idFromHex } from "../../../domain/ids/ids.js";
import { eraseArchive } from "../../retention/service.js";
import { addCounts, ErasureStopped, together, type ErasureWork } from "./step.js";

/**
 * RET-24: removes the owner's rows from the parts of the archive. The number of removed rows is the difference between
 * the counts in the database and in the rewritten part. A repeated attempt therefore also counts the rows that an
 * interrupted attempt removed.
 */
export async function eraseArchived(work: ErasureWork, root: string): Promise<void> {
  const { client, erasureId, workspaceId, merchantId } = work;
  const { rows } = await client.query<{ archive_id: string }>("select archive_id from archive_identity");
  await eraseArchive({
    root,
    archiveId: String(rows[0]?.archive_id),
    owner: { workspaceId: idFromHex("ws", workspaceId), merchantId },
    async onPart({ week, part, rows: rowCount, bytes }) {
      if (work.isStopping()) throw new ErasureStopped();
      await together(client, async () => {
        const { rows: noted } = await client.query<{ left: string }>(
          `update archived_parts p set row_count = $3, byte_count = $4
           from (select row_count from archived_parts where week = $1 and part = $2 for update) before
           where p.week = $1 and p.part = $2 and p.row_count <> $3
           returning before.row_count - $3 as left`,
          [week, part, rowCount, bytes],
        );
        await addCounts(client, erasureId, { archived_rows: Number(noted[0]?.left ?? 0) });
      });
    },
  });
}
