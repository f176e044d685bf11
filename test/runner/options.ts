/** The options of a run of test/run.ts. */
export interface RunOptions {
  /** Runs the `*.long.test` files, which measure, instead of the others. */
  isLong: boolean;
  isQuick: boolean;
  isInstalled: boolean;
  /** Runs the files that start, kill, stall or fill things, instead of the quick ones. */
  isProcesses: boolean;
  isTwoNodes: boolean;
  /** Also runs the quick files: on the oldest PostgreSQL if that version is requested, or else on the packaged one. */
  isAgain: boolean;
  isChanged: boolean;
  /** The PostgreSQL versions to test besides the packaged one. */
  majors: readonly string[];
  /** Parts of the paths of the files to run. An empty list selects all files of the kind. */
  patterns: readonly string[];
}

const FLAGS = {
  "--long": "isLong",
  "--quick": "isQuick",
  "--installed": "isInstalled",
  "--processes": "isProcesses",
  "--two-nodes": "isTwoNodes",
  "--again": "isAgain",
  "--changed": "isChanged",
} as const satisfies Record<string, keyof RunOptions>;
const MAJOR = /^--postgres=(\d+)$/;
const KNOWN = [...Object.keys(FLAGS), "--postgres=<major version>"].join(", ");

/** The options, or one line for each invalid argument. */
export function readOptions(args: readonly string[]): RunOptions | { faults: string[] } {
  const options: RunOptions = {
    isLong: false,
    isQuick: false,
    isInstalled: false,
    isProcesses: false,
    isTwoNodes: false,
    isAgain: false,
    isChanged: false,
    majors: args.flatMap((argument) => MAJOR.exec(argument)?.[1] ?? []),
    patterns: args.filter((argument) => !argument.startsWith("-")),
  };
  const faults: string[] = [];
  for (const argument of args) {
    if (!argument.startsWith("-")) continue;
    if (isFlag(argument)) options[FLAGS[argument]] = true;
    else if (!MAJOR.test(argument)) faults.push(`unknown option ${argument}; the options are ${KNOWN}`);
  }
  if (options.isQuick && !options.isLong) faults.push("--quick shortens what --long runs, and nothing else");
  const { isLong, isChanged, isProcesses, isInstalled, isTwoNodes, isAgain, majors } = options;
  if (
    (isLong || isChanged) &&
    (isProcesses || isInstalled || isTwoNodes || isAgain || majors.length > 0 || (isLong && isChanged))
  )
    faults.push(`${isLong ? "--long" : "--changed"} is a run by itself`);
  return faults.length === 0 ? options : { faults };
}

const isFlag = (argument: string): argument is keyof typeof FLAGS => Object.hasOwn(FLAGS, argument);
