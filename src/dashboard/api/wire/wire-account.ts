import type {
  DecisionMode,
  RiskBlockThresholdSource,
  Role,
  WorkspaceStatus,
} from "../../../domain/vocabulary/vocabulary.js";

/** Accounts and team: bodies as the service sends them. Times are ISO 8601. */

export interface User {
  user_id: string;
  email: string;
  name: string | null;
}

export interface Workspace {
  id: string;
  name: string;
  status: WorkspaceStatus;
  default_decision_mode: DecisionMode | null;
  /** 0 to 100: the one in force. */
  risk_block_threshold: number;
  /** `default`: the deployment's own. */
  risk_block_threshold_source: RiskBlockThresholdSource;
  created_at: string;
}

/** GET /v1/auth/me */
export interface Account {
  user: User;
  workspace: Workspace;
  role: Role;
  /** There for the platform's administrator alone. */
  platform_admin?: true;
}

export interface Member {
  user_id: string;
  email: string;
  name: string | null;
  role: Role;
  created_at: string;
  last_login_at: string | null;
}

export interface Invitation {
  invitation_id: string;
  email: string;
  role: Role;
  created_at: string;
  expires_at: string;
}

/** GET /v1/team */
export interface TeamList {
  members: Member[];
  invitations: Invitation[];
}
