import { QueryClientProvider, useQuery } from "@tanstack/react-query";
import { createContext, use, useMemo, useState, type ReactNode } from "react";
import type { Role } from "../../shared/vocabulary.js";
import { account } from "../api/account.js";
import { statusOf } from "../api/problem.js";
import { createQueryClient } from "../api/query-client.js";
import type { Account } from "../api/wire-account.js";
import { sessionHint } from "./session-hint.js";

export type Session =
  | { kind: "loading" }
  | { kind: "signed_out" }
  /** There may be a session, and the service cannot say: an outage, or a suspended workspace. */
  | { kind: "failed"; error: Error; retry(): void }
  | ({ kind: "signed_in" } & Account);

interface SessionActions {
  session: Session;
  /** A sign-in, a registration or an accepted invitation was answered: its cookie is set. */
  began(): void;
  /** Ends the session, at the service too; rejects with a ProblemError when it could not. */
  signOut(): Promise<void>;
}

const SessionContext = createContext<SessionActions | null>(null);

/** Who is here; and what any page asked of the service is forgotten when that changes. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [isHinted, setHinted] = useState(sessionHint.get);
  const queries = useMemo(() => {
    const client = createQueryClient(() => {
      sessionHint.clear();
      setHinted(false);
      client.clear();
    });
    return client;
  }, []);
  return (
    <QueryClientProvider client={queries}>
      <CurrentSession
        isHinted={isHinted}
        began={() => {
          queries.clear();
          sessionHint.set();
          setHinted(true);
        }}
        ended={() => {
          sessionHint.clear();
          setHinted(false);
          queries.clear();
        }}
      >
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
  const me = useQuery({
    queryKey: ["me"],
    queryFn: ({ signal }) => account.me(signal),
    enabled: isHinted,
    staleTime: 60_000,
  });
  let session: Session;
  if (!isHinted) session = { kind: "signed_out" };
  else if (me.data !== undefined) session = { kind: "signed_in", ...me.data };
  else if (me.error !== null) session = { kind: "failed", error: me.error, retry: () => void me.refetch() };
  else session = { kind: "loading" };

  const signOut = async (): Promise<void> => {
    await account.signOut().catch((error: unknown) => {
      // It had ended by itself.
      if (statusOf(error) !== 401) throw error;
    });
    ended();
  };
  return <SessionContext value={{ session, began, signOut }}>{children}</SessionContext>;
}

export function useSession(): SessionActions {
  const session = use(SessionContext);
  if (session === null) throw new Error("outside of SessionProvider");
  return session;
}

/** Of the person who is signed in; to be asked inside the shell alone. */
export function useAccount(): Account {
  const { session } = useSession();
  if (session.kind !== "signed_in") throw new Error("nobody is signed in");
  return session;
}

export function useHasRole(roles: readonly Role[]): boolean {
  return roles.includes(useAccount().role);
}
