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
