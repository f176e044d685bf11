import { QueryClientProvider, useQueryClient } from "@tanstack/react-query";
import { createContext, use, useMemo, useState, type ReactNode } from "react";
import type { Role } from "../../domain/vocabulary/vocabulary.js";
import { account } from "../api/account/account.js";
import { statusOf } from "../api/transport/problem.js";
import { ACCOUNT, createQueryClient } from "../api/transport/query-client.js";
import { useRead } from "../api/transport/read.js";
import type { Account } from "../api/wire-types.js";
import { kept } from "./kept.js";
import { sessionHint } from "./session-hint.js";

export type Session =
  | { kind: "loading" }
  | { kind: "signed_out" }
  /** There may be a session, but the service cannot confirm it, because of an outage or a suspended workspace. */
  | { kind: "failed"; error: Error; retry(): Promise<unknown> }
  | ({ kind: "signed_in" } & Account)
  /** Nothing is read any more, because the service would refuse requests after the sign-out. */
  | { kind: "leaving" };

interface SessionActions {
  session: Session;
  /**
   * Call it after the answer to a sign-in, a registration or an accepted invitation. That answer has set the cookie.
   */
  began(): void;
  /** Ends the session, also at the service. Rejects with a ProblemError when that failed. */
  signOut(): Promise<void>;
}

const SessionContext = createContext<SessionActions | null>(null);

/** Provides the current session. All cached answers are dropped when the session changes. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [isHinted, setHinted] = useState(sessionHint.get);
  const { queries, began, ended } = useMemo(() => {
    const ended = (): void => {
      sessionHint.clear();
      setHinted(false);
      queries.clear();
    };
    const began = (): void => {
      queries.clear();
      sessionHint.set();
      setHinted(true);
    };
    const queries = createQueryClient(ended, () => void queries.invalidateQueries({ queryKey: ACCOUNT }));
    return { queries, began, ended };
  }, []);
  return (
    <QueryClientProvider client={queries}>
      <CurrentSession isHinted={isHinted} began={began} ended={ended}>
        {children}
      </CurrentSession>
    </QueryClientProvider>
  );
}

interface CurrentSessionProps {
  isHinted: boolean;
  began(): void;
  ended(): void;
  children: ReactNode;
}

function CurrentSession({ isHinted, began, ended, children }: CurrentSessionProps) {
  const queries = useQueryClient();
  const [isLeaving, setLeaving] = useState(false);
  const me = useRead({
    queryKey: ACCOUNT,
    queryFn: ({ signal }) => account.me(signal),
    enabled: isHinted && !isLeaving,
    staleTime: 60_000,
  });
  const { data, error, refetch } = me;
  const value = useMemo<SessionActions>(
    () => ({
      session: isLeaving ? { kind: "leaving" } : sessionOf(isHinted, data, error, refetch),
      began,
      async signOut() {
        setLeaving(true);
        // DASH-13: if the session merely expired, the person's drafts stay, so that the person can continue with them.
        const forgetKept = (): void => {
          if (data !== undefined) kept.clear(data.user.user_id);
        };
        await queries
          .cancelQueries()
          .then(endSession)
          .then(forgetKept)
          .then(ended)
          .finally(() => setLeaving(false));
      },
    }),
    [queries, isHinted, isLeaving, data, error, refetch, began, ended],
  );
  return <SessionContext value={value}>{children}</SessionContext>;
}

/** Ends the session at the service. */
async function endSession(): Promise<void> {
  await account.signOut().catch((problem: unknown) => {
    // The session had already ended.
    if (statusOf(problem) !== 401) throw problem;
  });
}

function sessionOf(
  isHinted: boolean,
  data: Account | undefined,
  error: Error | null,
  retry: () => Promise<unknown>,
): Session {
  if (!isHinted) return { kind: "signed_out" };
  if (data !== undefined) return { kind: "signed_in", ...data };
  return error === null ? { kind: "loading" } : { kind: "failed", error, retry };
}

export function useSession(): SessionActions {
  const session = use(SessionContext);
  if (session === null) throw new Error("useSession needs a SessionProvider");
  return session;
}

/** Returns the account of the signed-in person. Call it only inside the shell. */
export function useAccount(): Account {
  const { session } = useSession();
  if (session.kind !== "signed_in") throw new Error("useAccount needs a signed-in person");
  return session;
}

export function useHasRole(roles: readonly Role[]): boolean {
  return roles.includes(useAccount().role);
}
