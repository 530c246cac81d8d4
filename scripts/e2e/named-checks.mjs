/** Named checks that run one after another; a failed one does not stop the rest. */

export function createChecks() {
  let passed = 0;
  let failed = 0;
  let afterFailure = async () => {};
  return {
    /** @param body may return a note, printed beside the name */
    async check(name, body) {
      const started = performance.now();
      try {
        const note = await body();
        passed++;
        console.log(
          `ok    ${name} (${Math.round(performance.now() - started)} ms)${note ? `: ${note}` : ""}`,
        );
      } catch (error) {
        failed++;
        console.log(`FAIL  ${name}: ${error.message}`);
        await afterFailure(failed).catch(() => {});
      }
    },
    /** @param look called with the number of the failure, from 1 */
    onFailure(look) {
      afterFailure = look;
    },
    failed: () => failed,
    summary: () => `${passed} passed, ${failed} failed`,
  };
}

/**
 * Runs the checks and ends the process: 0 all passed, 1 one failed or a signal came.
 *
 * @param body throws when no check can be made at all
 * @param cleanUp runs whatever happens
 * @param note printed above the summary
 */
export async function runToEnd(checks, body, cleanUp, note) {
  for (const signal of ["SIGINT", "SIGTERM"])
    process.once(signal, async () => {
      await cleanUp();
      process.exit(1);
    });
  try {
    await body();
  } finally {
    await cleanUp();
  }
  if (note) console.log(note);
  console.log(checks.summary());
  process.exit(checks.failed() ? 1 : 0);
}

/** @returns ends all that was started, the latest first */
export const inReverse = (cleanUps) => async () => {
  for (let last = cleanUps.pop(); last; last = cleanUps.pop()) await last();
};
