/** The wire of what may change while the server runs, and of what is wrong with a set-up. As `protocol.ts`. */
import { z } from "zod";
import { contextMode, engineName } from "./protocol.ts";
import { text } from "./wire-fields.ts";

/** Only what is named changes. It holds until the server stops; what shall last stands in its settings. */
export const configRequest = z
  .strictObject({
    model: text.min(1).max(200).describe("As the engine names it; 409 when it cannot infill"),
    mode: contextMode,
    engine: engineName.describe("409 when the server was started without it"),
  })
  .partial();
export type ConfigRequest = z.infer<typeof configRequest>;

export const configResponse = z.object({
  model: z.string(),
  mode: contextMode,
  engine: engineName,
  engines: z.array(engineName).describe("Those it can be changed to"),
  modes: z.array(contextMode),
  models: z
    .array(
      z.object({
        name: z.string(),
        bytes: z.number().nullable(),
        canInfill: z.boolean().nullable().describe("null when only a try would tell"),
      }),
    )
    .describe("What the engine has now; empty when it does not tell"),
});
export type ConfigResponse = z.infer<typeof configResponse>;

export const pullRequest = z.object({
  model: configRequest.shape.model.unwrap().describe("As Ollama names it"),
});
export const pullProgress = z.object({
  status: z.string().describe("Ollama's words"),
  completed: z.number().describe("Bytes that are there, of total"),
  total: z.number().describe("Of the layers begun so far, so that it may grow"),
  done: z.boolean().describe("true once, in the last event"),
});
export type PullProgress = z.infer<typeof pullProgress>;

const check = z.object({
  id: z.string().describe("Stays the same across versions, such as chroma or model"),
  title: z.string(),
  status: z.enum(["ok", "warn", "fail"]),
  detail: z.string(),
  fix: z.string().optional().describe("What to do about it: a command where there is one"),
});
export type Check = z.infer<typeof check>;

export const doctorResponse = z.object({ status: check.shape.status, checks: z.array(check) });
export type DoctorResponse = z.infer<typeof doctorResponse>;
