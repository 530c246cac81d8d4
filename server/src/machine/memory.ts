/** The memory of this machine, and what models take of it. */
import { readFile } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { z } from "zod";

export interface Memory {
  /** Bytes. */
  readonly total: number;
  /** With what the system would give back from its caches; `os.freemem` leaves that out. */
  readonly available: number;
}

export async function memoryNow(): Promise<Memory> {
  const meminfo = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1];
  return { total: totalmem(), available: kilobytes === undefined ? freemem() : Number(kilobytes) * 1024 };
}

/** A model in Ollama's memory. */
export interface LoadedModel {
  readonly name: string;
  readonly bytes: number;
  /** Of these, in a GPU's memory. */
  readonly gpu: number;
}

const processes = z.object({
  models: z
    .array(
      z.object({
        name: z.string().default(""),
        size: z.number().default(0),
        size_vram: z.number().default(0),
      }),
    )
    .nullish(),
});

/** @returns none from an Ollama that does not answer */
export async function loadedModels(host: string, signal: AbortSignal): Promise<LoadedModel[]> {
  try {
    const { models } = processes.parse(await (await fetch(`${host}/api/ps`, { signal })).json());
    return (models ?? []).map(({ name, size, size_vram }) => ({ name, bytes: size, gpu: size_vram }));
  } catch {
    return [];
  }
}
