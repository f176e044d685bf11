/** What a run of test/run.ts is asked for. */
export interface RunOptions {
  /** The `*.long.test` files, which measure, instead of the others. */
  isLong: boolean;
  isQuick: boolean;
  isInstalled: boolean;
  /** The files that start, kill, stall or fill what they touch, instead of the quick ones. */
  isProcesses: boolean;
  isTwoNodes: boolean;
  isChanged: boolean;
  /** Of PostgreSQL, besides the packaged one. */
  majors: readonly string[];
  /** Parts of the paths of the files to run; none selects all files of the kind. */
  patterns: readonly string[];
}

const FLAGS = {
  "--long": "isLong",
  "--quick": "isQuick",
  "--installed": "isInstalled",
  "--processes": "isProcesses",
  "--two-nodes": "isTwoNodes",
  "--changed": "isChanged",
} as const satisfies Record<string, keyof RunOptions>;
const MAJOR = /^--postgres=(\d+)$/;
const KNOWN = [...Object.keys(FLAGS), "--postgres=<major version>"].join(", ");

/** The options, or one line for each argument that is none. */
export function readOptions(args: readonly string[]): RunOptions | { faults: string[] } {
  const options: RunOptions = {
    isLong: false,
    isQuick: false,
    isInstalled: false,
    isProcesses: false,
    isTwoNodes: false,
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
  const { isLong, isChanged, isProcesses, isInstalled, isTwoNodes, majors } = options;
  if (
    (isLong || isChanged) &&
    (isProcesses || isInstalled || isTwoNodes || majors.length > 0 || (isLong && isChanged))
  )
    faults.push(`${isLong ? "--long" : "--changed"} is a run by itself`);
  return faults.length === 0 ? options : { faults };
}

const isFlag = (argument: string): argument is keyof typeof FLAGS => Object.hasOwn(FLAGS, argument);
