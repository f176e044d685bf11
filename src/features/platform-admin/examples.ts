import type { Examples } from "../../platform/wire/operation.js";

/** Recorded from the service. */
export const PLATFORM_EXAMPLES: Examples = {
  listWorkspaces: {
    "200": {
      workspaces: [
        {
          id: "ws_01m7x2m642spb3bsttt123d9be",
          name: "Shop",
          status: "active",
          created_at: "2026-11-20T18:13:45.217Z",
        },
        {
          id: "ws_01m7x2m3jmf3cvxz9tyha4vhyf",
          name: "Demo",
          status: "active",
          created_at: "2026-11-20T18:13:42.952Z",
        },
        {
          id: "ws_01m7x2m3h7yhahjmqz9w6ek5e9",
          name: "Platform",
          status: "active",
          created_at: "2026-11-20T18:13:42.570Z",
        },
      ],
    },
  },
  suspendWorkspace: {
    "200": {
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "suspended",
        created_at: "2026-11-20T18:13:45.217Z",
      },
    },
    "404": { statusCode: 404, message: "Workspace not found", error: "Not Found" },
    "409": { statusCode: 409, message: "Your own workspace cannot be suspended", error: "Conflict" },
  },
  activateWorkspace: {
    "200": {
      workspace: {
        id: "ws_01m7x2m642spb3bsttt123d9be",
        name: "Shop",
        status: "active",
        created_at: "2026-11-20T18:13:45.217Z",
      },
    },
    "404": { statusCode: 404, message: "Workspace not found", error: "Not Found" },
  },
  releaseAccount: {
    request: { email: "victim@bank.example", reason: "Registered by somebody else" },
    "400": {
      error: "validation_error",
      issues: [{ path: "reason", code: "invalid_type", message: "Required" }],
    },
    "404": { statusCode: 404, message: "Account not found", error: "Not Found" },
    "409": {
      statusCode: 409,
      message: "The platform admin's own address cannot be released",
      error: "Conflict",
    },
  },
};
