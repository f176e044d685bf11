import { lazy, type ComponentType, type ReactNode } from "react";
import { PageCodeError } from "../api/transport/problem.js";
import { codeReloaded } from "./page-code.js";

interface PageModule {
  default: ComponentType;
}

export interface LazyPage {
  (): ReactNode;
  /** What could not be loaded is asked for again when the page is next rendered: React itself remembers the refusal. */
  forget(): void;
}

/** A page whose code is loaded when it is first opened. */
export function lazyPage(load: () => Promise<PageModule>): LazyPage {
  const begin = () =>
    lazy(() =>
      load().catch(async (cause: unknown) => {
        await codeReloaded();
        throw new PageCodeError("The code of this page could not be loaded.", { cause });
      }),
    );
  let Content = begin();
  const Page = () => <Content />;
  Page.forget = () => {
    Content = begin();
  };
  return Page;
}
