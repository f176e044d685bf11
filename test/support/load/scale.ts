/** `npm run test:faults -- --quick`: the same lines with shorter absences and fewer rounds. */
const isQuick = process.env["FAULTS_QUICK"] === "1";

/** A count or duration of the long suite, and what stands for it in a shortened run. */
export function scaled(full: number, quick: number): number {
  return isQuick ? quick : full;
}
