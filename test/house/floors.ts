/**
 * The permitted imports, and the largest folder, file and function. `npm run check` checks all of them. `npm run
 * lint-config` writes the permitted imports into .oxlintrc.json, for the linter.
 */

export const LIMITS = {
  folderFilesMax: 25,
  fileLinesMax: 300,
  functionLinesMax: 80,
  /** Below `src`. The linter's boundaries are written for each level, because an import says how far up it goes. */
  folderLevelsMax: 4,
} as const;

/** Readers look up the pages of these folders by name or number, and do not browse them. */
export const UNLIMITED_FOLDERS: readonly string[] = ["docs/contract", "docs/decisions", "docs/screenshots"];

export interface Floor {
  /** Relative to `src`. */
  readonly folder: string;
  /** What the floor may import besides itself: folders relative to `src`, or single files of them. */
  readonly may: readonly string[];
  /** The folders and files from which it may import types only. */
  readonly mayTypes?: readonly string[];
  readonly why: string;
  /** Set if the floor has only the folder's own files, and each folder below needs its own floor. */
  readonly ownFilesOnly?: true;
  /** The folder has no I/O, no clock and no randomness. It writes JSON text only if `writesJson` is set. */
  readonly isPure?: true;
  /** The JSON that a pure floor writes, and the reason. */
  readonly writesJson?: string;
  /** A tenant's rows are read only through platform/postgres/tenant-db.ts, which sees one workspace. */
  readonly isTenantsOnly?: true;
  readonly runsIn?: "browser";
}

const BELOW_PATH = ["domain", "platform"];
const BELOW_FEATURES = [...BELOW_PATH, "path"];
/** What other subjects may import of a subject: its use cases, and its bodies, which other bodies may contain. */
const doorsOf = (...subjects: readonly string[]): string[] =>
  subjects.flatMap((subject) =>
    ["service.ts", "wire.ts", "wire"].map((door) => `features/${subject}/${door}`),
  );

export const FLOORS: readonly Floor[] = [
  {
    folder: "domain/vocabulary",
    may: [],
    isPure: true,
    writesJson: "The message of a bug shows the value that no variant covers.",
    why: "Words and limits explain everything else and need nothing.",
  },
  { folder: "domain/statistics", may: [], isPure: true, why: "Figures over counts know no business." },
  {
    folder: "domain/ids",
    may: ["domain/vocabulary"],
    isPure: true,
    why: "An id is made of words and numbers.",
  },
  {
    folder: "domain/policy",
    may: ["domain/vocabulary"],
    isPure: true,
    writesJson: "A policy's content is its text: equal texts are one content.",
    why: "A policy means the same live, simulated and replayed.",
  },
  {
    folder: "domain/health",
    may: ["domain/statistics", "domain/vocabulary"],
    isPure: true,
    why: "The state machine is tested without providers.",
  },
  {
    folder: "domain/risk",
    may: ["domain/vocabulary"],
    isPure: true,
    why: "A score depends on the payment alone.",
  },
  {
    folder: "domain/pricing",
    may: ["domain/vocabulary"],
    isPure: true,
    why: "A price is computed, never looked up.",
  },
  {
    folder: "domain/retries",
    may: ["domain/vocabulary", "domain/statistics"],
    isPure: true,
    why: "A scheme's rules are data, and a retry is judged by them and by what retries recovered.",
  },
  {
    folder: "domain/outcomes",
    may: ["domain/vocabulary"],
    isPure: true,
    why: "An outcome is judged by what its report says.",
  },
  {
    folder: "domain/decision",
    may: ["domain"],
    isPure: true,
    why: "A decision joins the other parts of the domain.",
  },

  {
    folder: "platform",
    may: ["domain/vocabulary", "domain/ids"],
    why: "It has no business, so every floor above can use it.",
  },

  { folder: "path/wire", may: BELOW_PATH, why: "The decision's schemas are the same for every leg." },
  {
    folder: "path/document",
    may: BELOW_PATH,
    why: "What is stored of a decision is written and read in one place, by every leg and every read.",
  },
  { folder: "path/replica", may: BELOW_PATH, why: "It stores what it is given and asks nobody." },
  { folder: "path/idempotency", may: BELOW_PATH, why: "It compares requests and does not decide them." },
  { folder: "path/attempts", may: BELOW_PATH, why: "Attempts are counted, whatever decides by them." },
  { folder: "path/access", may: [...BELOW_PATH, "path/replica"], why: "Keys are looked up in the replica." },
  {
    folder: "path/journal",
    may: [...BELOW_PATH, "path/attempts", "path/idempotency"],
    why: "A commit stores idempotent replies and counts attempts too.",
  },
  {
    folder: "path/mirror",
    may: [...BELOW_PATH, "path/journal"],
    why: "It copies the journal, whoever fills it and drains it.",
  },
  {
    folder: "path/decide",
    may: [
      ...BELOW_PATH,
      "path/attempts",
      "path/document",
      "path/idempotency",
      "path/journal",
      "path/mirror",
      "path/replica",
    ],
    why: "A decision reads the replica and ends in the journal, and where that is mirrored, in its mirror.",
  },
  {
    folder: "path/front",
    may: [...BELOW_PATH, "path/access", "path/decide"],
    why: "The front admits a request and hands it on.",
  },
  {
    folder: "path/writer",
    may: [...BELOW_PATH, "path/attempts", "path/journal", "path/mirror", "path/replica"],
    why: "The writer drains the journal and dead nodes' mirrors, and brings other nodes' attempts.",
  },
  {
    folder: "path/log-copy",
    may: [...BELOW_PATH, "path/writer"],
    why: "It copies what the writer has stored, and decides nothing.",
  },
  {
    folder: "path/prober",
    may: [...BELOW_PATH, "path/replica"],
    why: "Health is published into the replica.",
  },
  {
    folder: "path/changes",
    may: [...BELOW_PATH, "path/access", "path/replica"],
    why: "Changed records go where they are looked up.",
  },

  {
    folder: "features/accounts",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "mail", "workspaces")],
    why: "An account creates a workspace, its address is proved by mail, and a change is audited.",
  },
  { folder: "features/alerts", may: [...BELOW_FEATURES, ...doorsOf("audit")], why: "A change is audited." },
  {
    folder: "features/analytics",
    may: [...BELOW_FEATURES, ...doorsOf("decisions", "outcomes")],
    isTenantsOnly: true,
    why: "Figures count decisions and outcomes.",
  },
  {
    folder: "features/api-keys",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "workspaces")],
    why: "A key may be for one merchant, and a change is audited.",
  },
  { folder: "features/audit", may: BELOW_FEATURES, why: "Every subject that changes something uses it." },
  {
    folder: "features/dashboard-files",
    may: BELOW_FEATURES,
    why: "Files are served without knowing any subject.",
  },
  {
    folder: "features/decisions",
    may: [...BELOW_FEATURES, ...doorsOf("outcomes", "retry-rules")],
    isTenantsOnly: true,
    why: "A decision is shown with its outcomes, and with the scheme's rule that judged it.",
  },
  {
    folder: "features/docs",
    may: [...BELOW_FEATURES, "features"],
    why: "The OpenAPI document joins the wire of all subjects.",
  },
  {
    folder: "features/email-links",
    may: [...BELOW_FEATURES, ...doorsOf("accounts", "audit", "mail")],
    why: "A link of a letter proves an address or sets a password, and is audited.",
  },
  {
    folder: "features/events",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "workspaces")],
    why: "Endpoints are counted by workspace, and a change is audited.",
  },
  {
    folder: "features/moves",
    may: [...BELOW_FEATURES, ...doorsOf("retention")],
    why: "A workspace moves as rows, whatever subject they are of. Old ones leave while retention does not run.",
  },
  {
    folder: "features/erasures",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "retention")],
    why: "What is erased is audited, and leaves while retention does not run.",
  },
  {
    folder: "features/exports",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "decisions", "usage", "workspaces")],
    why: "An export has the rows that a subject lists, and a change is audited.",
  },
  {
    folder: "features/saved-views",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "workspaces")],
    why: "A change is audited, and the number of views is bounded under the workspace's lock.",
  },
  {
    folder: "features/oidc",
    may: [...BELOW_FEATURES, ...doorsOf("accounts")],
    why: "An identity signs in to an account, which is audited there.",
  },
  {
    folder: "features/mail",
    may: BELOW_FEATURES,
    why: "Letters are stored and sent whatever they tell.",
  },
  {
    folder: "features/one-time-codes",
    may: [...BELOW_FEATURES, ...doorsOf("accounts", "audit")],
    why: "Codes are turned on with a password, and a change is audited.",
  },
  {
    folder: "features/operations",
    may: BELOW_FEATURES,
    why: "The operator's routes look at the process, not at a subject.",
  },
  {
    folder: "features/outcomes",
    may: BELOW_FEATURES,
    why: "An outcome's id certifies itself, so no look-up is needed.",
  },
  {
    folder: "features/overrides",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "decisions")],
    why: "A change is audited, and a past drill is shown with the decisions of its time.",
  },
  {
    folder: "features/platform-admin",
    may: [...BELOW_FEATURES, ...doorsOf("accounts", "audit", "workspaces")],
    why: "It administers accounts and workspaces, and a change is audited.",
  },
  {
    folder: "features/policies",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "decisions")],
    why: "A policy is tried on past decisions, and a change is audited.",
  },
  {
    folder: "features/policies/linter",
    may: ["domain"],
    isPure: true,
    why: "A page or a test can lint without a service.",
  },
  {
    folder: "features/policies/translate",
    may: ["domain"],
    isPure: true,
    writesJson: "Two values are the same if their texts are.",
    why: "A text always becomes the same policy.",
  },
  {
    folder: "features/policy-templates",
    may: [...BELOW_FEATURES, ...doorsOf("policies")],
    why: "A template is a policy that nobody has stored yet.",
  },
  { folder: "features/pricing", may: [...BELOW_FEATURES, ...doorsOf("audit")], why: "A change is audited." },
  {
    folder: "features/provider-health",
    may: BELOW_FEATURES,
    why: "Health is read where the prober publishes it.",
  },
  {
    folder: "features/reader",
    may: [...BELOW_FEATURES, ...doorsOf("analytics", "decisions", "overrides", "policies", "usage")],
    why: "One thread runs the slow reads of several subjects.",
  },
  {
    folder: "features/request-log",
    may: BELOW_FEATURES,
    why: "A request is noted whatever its subject is.",
  },
  {
    folder: "features/retention",
    may: BELOW_FEATURES,
    why: "Old data leaves whole tables, whatever subject it is of.",
  },
  {
    folder: "features/retry-rules",
    may: BELOW_FEATURES,
    why: "The table is the domain's own, and nobody's data.",
  },
  {
    folder: "features/reviews",
    may: [...BELOW_FEATURES, ...doorsOf("audit", "decisions")],
    why: "A review is of a decision, and is audited.",
  },
  {
    folder: "features/set-aside",
    may: [...BELOW_FEATURES, ...doorsOf("audit")],
    why: "A change is audited.",
  },
  {
    folder: "features/sessions",
    may: [...BELOW_FEATURES, ...doorsOf("audit")],
    why: "A session that is ended is audited.",
  },
  {
    folder: "features/team",
    may: [...BELOW_FEATURES, ...doorsOf("accounts", "audit", "mail", "one-time-codes")],
    why: "A member is an account, a token goes by mail, and a change is audited.",
  },
  {
    folder: "features/usage",
    may: BELOW_FEATURES,
    isTenantsOnly: true,
    why: "Usage reads the counts that the writer keeps.",
  },
  { folder: "features/webhooks", may: [...BELOW_FEATURES, ...doorsOf("audit")], why: "A change is audited." },
  {
    folder: "features/workspaces",
    may: [...BELOW_FEATURES, ...doorsOf("audit")],
    why: "A change is audited.",
  },

  {
    folder: "composition",
    may: [...BELOW_FEATURES, "features"],
    why: "It constructs the parts and hands them to each other.",
  },
  {
    folder: "doctor",
    may: ["domain/vocabulary", "platform", "path/decide/identity"],
    why: "It looks at a set-up with the start's own eyes, and starts nothing.",
  },
  {
    folder: ".",
    may: [...BELOW_FEATURES, "features", "composition", "doctor"],
    ownFilesOnly: true,
    why: "`service.ts` and `main.ts` start what composition built; `payinference.ts` is the operators' command.",
  },
  {
    folder: "../workers",
    ownFilesOnly: true,
    may: [...BELOW_FEATURES, "features", "composition"],
    why: "A thread's entry point starts the body that stands in its folder.",
  },

  {
    folder: "client",
    may: [],
    mayTypes: ["domain/vocabulary", "domain/policy"],
    why: "The client runs without the service's sources.",
  },
  {
    folder: "dashboard",
    may: [
      "domain/vocabulary",
      "domain/policy/normal-form.ts",
      "domain/policy/action-row.ts",
      "domain/policy/action-rows.ts",
      "domain/policy/condition-fields.ts",
      "domain/policy/condition-row.ts",
      "domain/policy/condition-vocabulary.ts",
      "domain/decision/score-terms.ts",
    ],
    mayTypes: ["client", "domain/policy/policy.ts"],
    runsIn: "browser",
    why: "The page shares words with the service, and the client refuses to run in a browser.",
  },
];

/** Node builds these files, although they are beside the page's sources. */
export const BUILD_FILES: readonly string[] = ["src/dashboard/vite.config.ts"];
