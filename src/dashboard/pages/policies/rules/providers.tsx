import { createContext, use, type ReactNode } from "react";

const ProvidersContext = createContext<readonly string[]>([]);

export function ProvidersProvider({
  providers,
  children,
}: {
  providers: readonly string[];
  children: ReactNode;
}) {
  return <ProvidersContext value={providers}>{children}</ProvidersContext>;
}

/** The deployment's providers. */
export function useProviders(): readonly string[] {
  return use(ProvidersContext);
}

/** Providers are shown by their ids. */
export const asItIs = (id: string): string => id;
