import type { BenchService } from "./bench-service.js";

/** Sends one JSON request with a session's token. Rejects if the answer is no 2xx. */
export async function call<Body>(
  service: BenchService,
  token: string | null,
  method: string,
  path: string,
  body?: unknown,
): Promise<Body> {
  const response = await fetch(new URL(path, service.url), {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return (text === "" ? {} : JSON.parse(text)) as Body;
}
