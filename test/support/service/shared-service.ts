import { keepOpen } from "../closing.js";
import { login, personOf, type Person } from "../people/accounts.js";
import { FROZEN_PROBER } from "./frozen-health.js";
import { startTestService, type RunningService } from "./service.js";
import { WEBHOOK_SECRET_KEY } from "./webhooks.js";

/** The platform admin is the first of all accounts. */
const PLATFORM = { PLATFORM_ADMIN_EMAIL: "root@pay.example", PLATFORM_ADMIN_PASSWORD: "platform password" };

/**
 * Settings of services that the test files of a process share if they need no settings of their own. These services
 * have two decide workers, a platform admin, a secret key, and no limits, because all requests come from one address.
 * Each file uses its own workspaces (test/support/people/tenants.ts). A file presents only a few unknown keys, because
 * a source may present 60 a minute. A file neither stops such a service nor changes settings of the whole node.
 */
const SHARED = {
  ...PLATFORM,
  DECISION_WORKERS: "2",
  RATE_LIMIT_PER_MINUTE: "0",
  AUTH_RATE_LIMIT_PER_MINUTE: "0",
  WEBHOOK_RATE_LIMIT_PER_MINUTE: "0",
  SECRET_KEY: WEBHOOK_SECRET_KEY,
} as const;

/** Signs in as the shared service's platform admin. */
export async function platformAdmin(service: RunningService): Promise<Person> {
  return personOf(await login(service, PLATFORM.PLATFORM_ADMIN_EMAIL, PLATFORM.PLATFORM_ADMIN_PASSWORD));
}

const running = new Map<string, Promise<RunningService>>();

async function once(name: string, env: Readonly<Record<string, string>>): Promise<RunningService> {
  const service = running.get(name) ?? keepOpen(() => startTestService(env));
  running.set(name, service);
  // A failed start fails one file. The files after it try again.
  service.catch(() => running.delete(name));
  return service;
}

export const sharedTestService = (): Promise<RunningService> => once("shared", SHARED);

/** A shared service with fixed health. The file sets the health with `freezeHealth` before each of its tests. */
export const frozenTestService = (): Promise<RunningService> =>
  once("frozen", { ...SHARED, ...FROZEN_PROBER });
