import type { Role, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";

/** Who acts on the dashboard: one user in one workspace. */
export interface Principal {
  /** Names the session without being its secret: the rate limit's principal. */
  sessionKey: string;
  userId: string;
  workspaceId: string;
  role: Role;
  workspaceStatus: WorkspaceStatus;
  /** ADM-6: the user of PLATFORM_ADMIN_EMAIL. */
  isPlatformAdmin: boolean;
}
