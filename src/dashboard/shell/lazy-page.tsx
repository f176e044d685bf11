import { lazy, type ComponentType, type ReactNode } from "react";
import { PageCodeError } from "../api/transport/problem.js";
import { codeReloaded } from "./page-code.js";

interface PageModule {
  default: ComponentType;
}

export interface LazyPage {
  (): ReactNode;
  /** Makes the next render load the code again, because React remembers a failed load. */
  forget(): void;
}

/** Returns a page whose code is loaded when it is first opened. */
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
