/** What keeps `npm start` from going on and the user can mend; the message is one line and says how. */
export class StartProblem extends Error {
  override readonly name = "StartProblem";
}
