import type { Pool } from "pg";
import { type createApiKeyCache, createKeyCheck } from "../path/access/api-key-cache.js";
import type { TakesCell } from "../path/access/cell.js";
import { createKeyGuesses } from "../path/access/key-guesses.js";
import { rememberKeysInReplica } from "../path/access/remembered-keys.js";
import type { Attempt } from "../path/access/attempt.js";
import { createSessionCheck } from "../path/access/sessions.js";
import type { Settings } from "../platform/settings/settings.js";
import { createAdmission } from "../path/front/admission.js";
import { createAttemptAdmission } from "../path/front/attempt-admission.js";
import type { HttpServerOptions } from "../path/front/server.js";
import { createKeyedChanges } from "../path/front/keyed-change.js";
import { createSessionAdmission } from "../path/front/session-admission.js";
import { createChangeReplies } from "../path/front/change-replies.js";
import { sourceAddress } from "../platform/http/source-address.js";
import type { Exchange } from "../platform/http/exchange.js";
import type { Replica } from "../path/replica/replica.js";
import type { FrontCache } from "./cache.js";
import { now } from "../platform/timing/clock.js";

export interface AdmissionParts {
  settings: Settings;
  /** The pool that sees all tenants, because a person is looked up before their workspace is known. */
  database: Pool;
  attempt: Attempt;
  keys: ReturnType<typeof createApiKeyCache>;
  takes: TakesCell;
  replica: Replica;
  cache: Pick<FrontCache, "window">;
  onRateLimited(): void;
}

/** Builds the checks of credentials and rates, in the order that the API fixes. */
export function composeAdmission(
  parts: AdmissionParts,
): Pick<HttpServerOptions, "admit" | "admitSession" | "admitAttempt"> {
  const { settings, database, attempt, keys, takes, cache, onRateLimited } = parts;
  const checkKey = createKeyCheck({
    keys,
    remembered: rememberKeysInReplica(parts.replica),
    guesses: createKeyGuesses(),
    onTooMany: onRateLimited,
    takes,
  });
  const limiting = {
    rateWindow: cache.window("principal", settings.rateLimitPerMinute),
    now,
    onRateLimited,
    sourceOf: (exchange: Exchange) =>
      sourceAddress(exchange.peerAddress(), exchange.head.forwardedFor, settings.trustProxyHops),
  };
  const admitSession = createSessionAdmission({
    authenticateKey: checkKey,
    authenticateSession: createSessionCheck(database, attempt, takes),
    mayBeginChange: createKeyedChanges(createChangeReplies({ db: database, attempt, now })),
    ...limiting,
  });
  return {
    admit: createAdmission({ authenticate: checkKey, admitSession, ...limiting }),
    admitSession,
    admitAttempt: createAttemptAdmission({
      ...limiting,
      rateWindow: cache.window("attempt", settings.authRateLimitPerMinute),
    }),
  };
}
