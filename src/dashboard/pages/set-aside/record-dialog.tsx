import { useState } from "react";
import { ACCESS_LIMITS } from "../../../domain/vocabulary/access-limits.js";
import { useDiscardSetAside, useRetrySetAside, useSetAside } from "../../api/set-aside.js";
import { issueAt } from "../../api/transport/problem.js";
import type { SetAsideDetail } from "../../api/wire-types.js";
import { Age } from "../../design/base/age.js";
import { formatName } from "../../design/base/format.js";
import { Copyable } from "../../design/feedback/copyable.js";
import { Dialog } from "../../design/feedback/dialog.js";
import { Loaded } from "../../design/feedback/loaded.js";
import { useToasts } from "../../design/feedback/toast.js";
import { Button } from "../../design/forms/button.js";
import { Field } from "../../design/forms/field.js";
import { Form } from "../../design/forms/form.js";
import { Facts } from "../../design/layout/facts.js";
import { textOf } from "../../shell/entrance-form.js";
import "./set-aside.css";

const HEIGHT_PX = 360;

/** Shows one record with its content and PostgreSQL's message. The record can be retried or discarded. */
export function RecordDialog({ id, onClose }: { id: string; onClose(): void }) {
  const record = useSetAside(id);
  const [isGivingUp, setGivingUp] = useState(false);
  return (
    <Dialog title={isGivingUp ? "Give a record up" : "Record set aside"} onClose={onClose}>
      {isGivingUp ? (
        <GiveUpForm id={id} onDone={onClose} onCancel={() => setGivingUp(false)} />
      ) : (
        <Loaded query={record} heightPx={HEIGHT_PX}>
          {(data) => <Detail record={data.record} onGiveUp={() => setGivingUp(true)} onDone={onClose} />}
        </Loaded>
      )}
    </Dialog>
  );
}

interface DetailProps {
  record: SetAsideDetail["record"];
  onGiveUp(): void;
  onDone(): void;
}

function Detail({ record, onGiveUp, onDone }: DetailProps) {
  const retry = useRetrySetAside();
  const toasts = useToasts();
  const { set_aside_id: id, kind, workspace_id, decision_id, order_id, node_id, position } = record;
  return (
    <Form
      submitLabel="Try again"
      isBusy={retry.isPending}
      error={retry.error}
      onCancel={onDone}
      onSubmit={() =>
        retry.mutate(id, {
          onSuccess() {
            toasts.done("The record is stored");
            onDone();
          },
        })
      }
    >
      <Facts
        facts={[
          ["Record", formatName(kind)],
          ["Since", <Age key="since" at={record.set_aside_at} />],
          [
            "Workspace",
            workspace_id === null ? (
              "none"
            ) : (
              <Copyable key="workspace" text={workspace_id} label="workspace id" />
            ),
          ],
          [
            "Decision",
            decision_id === null ? (
              "none"
            ) : (
              <Copyable key="decision" text={decision_id} label="decision id" />
            ),
          ],
          [
            "Order",
            order_id === null ? (
              "none"
            ) : (
              <bdi key="order" className="set-aside-text">
                {order_id}
              </bdi>
            ),
          ],
          ["Refused by", <code key="by">{record.statement}</code>],
          ["SQLSTATE", <code key="state">{record.sql_state}</code>],
          [
            "PostgreSQL says",
            <bdi key="says" className="set-aside-text">
              {record.message}
            </bdi>,
          ],
          ["Journal", node_id === null ? "none" : `${node_id}, ${String(position)}`],
        ]}
      />
      <section className="set-aside-entry" aria-label="What the record holds" tabIndex={0}>
        <pre>{record.entry === null ? record.entry_base64 : JSON.stringify(record.entry, null, 2)}</pre>
      </section>
      <div>
        <Button kind="danger" onClick={onGiveUp}>
          Give up
        </Button>
      </div>
    </Form>
  );
}

function GiveUpForm({ id, onDone, onCancel }: { id: string; onDone(): void; onCancel(): void }) {
  const discard = useDiscardSetAside();
  const toasts = useToasts();
  return (
    <Form
      submitLabel="Give the record up"
      isBusy={discard.isPending}
      error={discard.error}
      isDanger
      onCancel={onCancel}
      onSubmit={(values) =>
        discard.mutate(
          { id, reason: textOf(values, "reason").trim() },
          {
            onSuccess() {
              toasts.done("The record is given up");
              onDone();
            },
          },
        )
      }
    >
      <p className="muted">
        It is gone for good: nothing of it is stored elsewhere but in backups of the database.
      </p>
      <Field
        label="Reason"
        name="reason"
        autoComplete="off"
        hint="Kept in the audit log."
        maxLength={ACCESS_LIMITS.reasonCharsMax}
        error={issueAt(discard.error, "reason")}
        autoFocus
        required
      />
    </Form>
  );
}
