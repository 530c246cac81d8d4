/** `dhi doctor`: what is wrong with a set-up; with the server away, with what can be seen without it. */
import type { DoctorResponse } from "@dhi/core/config-protocol";
import { checkFolder } from "../check-folder.ts";
import { checkHere } from "../check-here.ts";
import { type Command, EXIT, type Surroundings } from "../command.ts";
import { hasFields, type Server, ServerAway } from "../server.ts";

export const doctor: Command = {
  ...{ name: "doctor", parameters: "", least: 0, most: 0 },
  summary: "look for what is wrong with the set-up, and how to mend it",
  exits: "0 nothing fails, 1 something does",
  async run({ server, surroundings, json }) {
    const { answer, isAway } = await examined(server, surroundings);
    surroundings.print(json ? JSON.stringify(answer) : describe(answer));
    if (isAway) return EXIT.away;
    return answer.status === "fail" ? EXIT.no : EXIT.yes;
  },
};

const isFindings = hasFields<DoctorResponse>("status", "checks");

async function examined(
  server: Server,
  { cwd, env }: Surroundings,
): Promise<{ readonly answer: DoctorResponse; readonly isAway: boolean }> {
  try {
    const { status, checks } = await server.get("/v1/doctor", {}, isFindings);
    const folder = await checkFolder(cwd, server);
    const worst = status === "ok" ? folder.status : status;
    return { answer: { status: worst, checks: [...checks, folder] }, isAway: false };
  } catch (error) {
    if (!(error instanceof ServerAway)) throw error;
    return { answer: await checkHere(error, server.url, env), isAway: true };
  }
}

const MARKS = { ok: "ok  ", warn: "warn", fail: "FAIL" } as const;

function describe({ checks }: DoctorResponse): string {
  const width = Math.max(...checks.map(({ title }) => title.length));
  return checks
    .flatMap(({ title, status, detail, fix }) => [
      `${MARKS[status]}  ${title.padEnd(width)}  ${detail}`,
      ...(fix && status !== "ok" ? [`${" ".repeat(MARKS.ok.length + 2)}→ ${fix}`] : []),
    ])
    .join("\n");
}
