import { pageQuery, type ListCursor } from "./transport/list-cursor.js";
import { useQueryClient } from "@tanstack/react-query";
import { useAction } from "./transport/action.js";
import { useRead } from "./transport/read.js";
import { request } from "./transport/request.js";
import type {
  CreatedEventEndpoint,
  EventDeliveryList,
  EventEndpoint,
  EventEndpointList,
  NewEventEndpoint,
} from "./wire-types.js";

const PATH = "/v1/event-endpoints";
const ENDPOINTS = ["event-endpoints"];
const DELIVERIES = "event-deliveries";
/** EVT-2: a workspace has at most as many endpoints as one page of their list can have. */
const ENDPOINTS_MAX = 100;
const ENDPOINTS_EVERY_MS = 10_000;
const DELIVERIES_EVERY_MS = 3000;
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;

/** GET /v1/event-endpoints. It is polled, because the service disables an endpoint that accepts nothing (EVT-8). */
export function useEventEndpoints() {
  return useRead({
    queryKey: ENDPOINTS,
    queryFn: ({ signal }) =>
      request<EventEndpointList>("GET", PATH, { query: { page_size: ENDPOINTS_MAX }, signal }),
    refetchInterval: ENDPOINTS_EVERY_MS,
  });
}

/** POST /v1/event-endpoints. No other answer contains the secret. */
export function useCreateEventEndpoint() {
  const queries = useQueryClient();
  return useAction({
    // The answer contains a secret, so it is dropped when its dialog closes.
    gcTime: 0,
    mutationFn: (body: NewEventEndpoint) => request<CreatedEventEndpoint>("POST", PATH, { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS }),
  });
}

export type EndpointChange = Partial<NewEventEndpoint> & { id: string; status?: "enabled" | "disabled" };

/** PATCH /v1/event-endpoints/:id. Fields that the body leaves out stay as they are. */
export function useChangeEventEndpoint() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: ({ id, ...body }: EndpointChange) =>
      request<{ event_endpoint: EventEndpoint }>("PATCH", pathOf(id), { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS }),
  });
}

/** DELETE /v1/event-endpoints/:id. Its deliveries are deleted too. */
export function useDeleteEventEndpoint() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (id: string) => request<void>("DELETE", pathOf(id)),
    onSuccess: () => queries.invalidateQueries({ queryKey: ENDPOINTS }),
  });
}

/** EVT-11: GET …/:id/deliveries, newest first. A null cursor begins at the newest delivery. */
export function useEventDeliveries(endpointId: string, cursor: ListCursor | null, pageSize: number) {
  return useRead({
    queryKey: [DELIVERIES, endpointId, cursor, pageSize],
    queryFn: ({ signal }) =>
      request<EventDeliveryList>("GET", `${pathOf(endpointId)}/deliveries`, {
        query: pageQuery(cursor, pageSize),
        signal,
      }),
    refetchInterval: DELIVERIES_EVERY_MS,
    placeholderData: (before, query) => (query?.queryKey[1] === endpointId ? before : undefined),
  });
}

/** EVT-6: POST …/:id/test */
export function useTestEventEndpoint() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: (endpointId: string) => request<unknown>("POST", `${pathOf(endpointId)}/test`),
    onSuccess: (_answer, endpointId) => queries.invalidateQueries({ queryKey: [DELIVERIES, endpointId] }),
  });
}

/** EVT-6: POST …/:id/deliveries/:deliveryId/redeliver */
export function useRedeliver() {
  const queries = useQueryClient();
  return useAction({
    mutationFn: ({ endpointId, deliveryId }: { endpointId: string; deliveryId: string }) =>
      request<unknown>(
        "POST",
        `${pathOf(endpointId)}/deliveries/${encodeURIComponent(deliveryId)}/redeliver`,
      ),
    onSuccess: (_answer, { endpointId }) => queries.invalidateQueries({ queryKey: [DELIVERIES, endpointId] }),
  });
}
