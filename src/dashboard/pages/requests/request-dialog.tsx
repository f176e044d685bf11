import type { RequestLogEntry } from "../../api/wire-types.js";
import { Foreign } from "../../design/base/foreign.js";
import { formatLatency, formatTime } from "../../design/base/format.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Facts } from "../../design/layout/facts.js";
import { StatusBadge } from "./request-table.js";
import { errorWords, issueWords } from "./request-words.js";

/** Shows one request. If it was refused, the reason is in words. */
export function RequestDialog({ request, onClose }: { request: RequestLogEntry; onClose(): void }) {
  const { method, path, status, api_key_name, api_key_id, request_id, node_id } = request;
  return (
    <Dialog title={`${method} ${path}`} onClose={onClose}>
      <Meaning request={request} />
      <Facts
        facts={[
          ["Status", <StatusBadge key="status" status={status} />],
          ["Answered", formatTime(request.answered_at)],
          ["Took", formatLatency(request.duration_ms)],
          ["Key", api_key_name === null ? "a key that is gone" : <Foreign key="key" text={api_key_name} />],
          ["Key id", <Copyable key="key-id" text={api_key_id} label="key id" />],
          ["Request id", <Copyable key="request" text={request_id} label="request id" />],
          ["Node", <code key="node">{node_id}</code>],
        ]}
      />
      <p className="request-note">
        Bodies, queries and ids are not kept. <a href="/docs">The API reference</a> shows each route with its
        answers.
      </p>
    </Dialog>
  );
}

function Meaning({ request }: { request: RequestLogEntry }) {
  const { error_code, issue_path, issue_code } = request;
  const words = errorWords(request);
  if (words === null) return <p>The service did what was asked.</p>;
  const issue = issueWords(request);
  return (
    <>
      <p>{words}</p>
      {issue === null ? null : (
        <p>
          {issue_path === null || issue_path === "" ? "The body" : <code className="mono">{issue_path}</code>}{" "}
          {issue}.
        </p>
      )}
      <p className="muted">
        Code <code>{error_code}</code>
        {issue_code === null ? null : (
          <>
            , issue <code>{issue_code}</code>
          </>
        )}
      </p>
    </>
  );
}
