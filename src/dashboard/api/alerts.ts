import { useQueryClient } from "@tanstack/react-query";
import type { Mode } from "../../domain/vocabulary/vocabulary.js";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type { Alert } from "./wire-types.js";

const ALERTS_EVERY_MS = 5000;

/** GET /v1/alerts: newest first. */
export function useAlerts(mode: Mode) {
  return useRead({
    queryKey: ["alerts", mode],
    queryFn: ({ signal }) => request<{ alerts: Alert[] }>("GET", "/v1/alerts", { query: { mode }, signal }),
    refetchInterval: ALERTS_EVERY_MS,
  });
}

/** POST /v1/alerts/:alertId/acknowledge */
export function useAcknowledgeAlert() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (alertId: string) =>
      request<{ alert: Alert }>("POST", `/v1/alerts/${encodeURIComponent(alertId)}/acknowledge`),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["alerts"] }),
  });
}
