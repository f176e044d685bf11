import type { Role, WorkspaceStatus } from "../../domain/vocabulary/vocabulary.js";

/** The acting user on the dashboard: one user in one workspace. */
export interface Principal {
  /** Identifies the session without revealing its token. The rate limit counts by it. */
  sessionKey: string;
  userId: string;
  workspaceId: string;
  role: Role;
  workspaceStatus: WorkspaceStatus;
  /** ADM-6: true for the user of PLATFORM_ADMIN_EMAIL. */
  isPlatformAdmin: boolean;
  /** AUTH-35: true if the session lacks the second factor that the workspace requires. The user may then only enrol. */
  mustEnrolCodes: boolean;
}
