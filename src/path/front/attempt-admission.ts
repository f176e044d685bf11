import type { RateWindow } from "../access/rate-window.js";
import type { Exchange } from "../../platform/http/exchange.js";
import { refusalOfHead } from "./head-refusal.js";
import type { AttemptRoute } from "./route.js";
import { beginWholeBody } from "./whole-body.js";

export interface AttemptAdmissionDependencies {
  /** Limits by AUTH_RATE_LIMIT_PER_MINUTE. All attempt routes share this window. */
  rateWindow: RateWindow;
  /** Unix milliseconds. */
  now(): number;
  onRateLimited(): void;
}

/** RATE-3: admission to routes such as login. Each request counts for its source, whether it succeeds or not. */
export function createAttemptAdmission({ rateWindow, now, onRateLimited }: AttemptAdmissionDependencies) {
  return async function admitAttempt(
    route: AttemptRoute,
    exchange: Exchange,
    sourceAddress: string,
  ): Promise<void> {
    const wholeBody = beginWholeBody(exchange, route);
    if (!(await rateWindow.take(sourceAddress, now()))) {
      onRateLimited();
      return exchange.fail({ kind: "rate_limited", limitPerMinute: rateWindow.limitPerMinute });
    }
    const refusal = refusalOfHead(route, exchange);
    if (refusal !== null) return exchange.fail(refusal);
    const body = await wholeBody();
    if ("error" in body) return exchange.fail(body.error);
    return route.handle(exchange, body.text, sourceAddress);
  };
}

export type AdmitAttempt = ReturnType<typeof createAttemptAdmission>;
