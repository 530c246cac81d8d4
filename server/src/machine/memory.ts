/** The memory that models may have, and what they take of it. */
import { readFile } from "node:fs/promises";
import { freemem, totalmem } from "node:os";
import { z } from "zod";
import { type GroupFiles, groupMemory } from "./group-memory.ts";

export interface Memory {
  /** Bytes. */
  readonly total: number;
  /** With what the system would give back from its caches; `os.freemem` leaves that out. */
  readonly available: number;
  /** Whether that is a container's, or a limit that somebody set, and not all of the machine's. */
  readonly isLimited: boolean;
}

/** Of the machine that this process is on. */
export async function machineMemory(): Promise<Memory> {
  const meminfo = await readFile("/proc/meminfo", "utf8").catch(() => "");
  const kilobytes = /^MemAvailable:\s+(\d+) kB/m.exec(meminfo)?.[1];
  const available = kilobytes === undefined ? freemem() : Number(kilobytes) * 1024;
  return { total: totalmem(), available, isLimited: false };
}

/** Of the machine, or of the container or slice that this process is in: a program beside it has no more. */
export async function memoryHere(files?: GroupFiles): Promise<Memory> {
  const [machine, group] = await Promise.all([machineMemory(), groupMemory(files)]);
  return group ? within(machine, group) : machine;
}

/** @param limit what is left of it may be more than the machine has left */
export function within(machine: Memory, limit: Pick<Memory, "total" | "available">): Memory {
  return {
    total: Math.min(machine.total, limit.total),
    available: Math.min(machine.available, limit.available),
    isLimited: limit.total < machine.total,
  };
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
