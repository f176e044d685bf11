/** `npm run test:faults -- --quick` runs the same faults with shorter absences and fewer rounds. */
const isQuick = process.env["FAULTS_QUICK"] === "1";

/** Returns `full` in the long suite and `quick` in the shortened one. */
export function scaled(full: number, quick: number): number {
  return isQuick ? quick : full;
}
