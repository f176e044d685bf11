import * as uws from "uWebSockets.js";
import {
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
} from "uWebSockets.js";

export type { HttpRequest, HttpResponse, TemplatedApp, us_listen_socket } from "uWebSockets.js";
export const { App } = uws;

/** Exports of the binary that its type declarations lack. */
interface Undeclared {
  LIBUS_LISTEN_EXCLUSIVE_PORT: number;
  _cfg(option: "silent"): void;
}
interface ListensExclusively {
  listen(host: string, port: number, options: number, done: (socket: us_listen_socket | false) => void): void;
}
const undeclared = uws as unknown as Undeclared;

/** Removes the `uWebSockets` header from every answer of the process. */
export function removeBanner(): void {
  undeclared._cfg("silent");
}

/**
 * Resolves to the socket, or to false if the port is in use or the host has no such address. The flag
 * LIBUS_LISTEN_EXCLUSIVE_PORT keeps two processes from sharing a port.
 */
export function listenExclusively(
  app: TemplatedApp,
  host: string,
  port: number,
): Promise<us_listen_socket | false> {
  return new Promise((resolve) => {
    (app as unknown as ListensExclusively).listen(
      host,
      port,
      undeclared.LIBUS_LISTEN_EXCLUSIVE_PORT,
      resolve,
    );
  });
}

export const localPort = us_socket_local_port;
export const closeListener = us_listen_socket_close;
