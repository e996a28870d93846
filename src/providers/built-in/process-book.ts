import { createHash, randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { startIn, startOf } from "./process-facts.ts";
import type { Launch } from "./run-group.ts";
import { readState, removeState, writeState } from "./state-file.ts";

/** A process, told from all others that had or will have its number. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly start: string;
}

/** What is remembered of a process; written before it is started, and once more when it runs. */
interface ProcessEntry {
  readonly launch: string;
  /** How long it may take to end when it is asked to. */
  readonly graceMs: number;
  readonly running?: ProcessIdentity;
}

/** How a process is to run, and to end. */
export interface ProcessPlan {
  readonly launch: Launch;
  readonly graceMs: number;
}

/** For processes of which nothing but the id is known any more. */
const usualGraceMs = 10_000;

const idPattern = /^(\d+)-([^-]+)-([0-9a-f]{16}-[0-9a-f]{8})$/;

/** The processes that were started on this machine, each under a key that begins with its name's hash. */
export class ProcessBook {
  readonly #folder: string;

  constructor(stateFolder: string) {
    this.#folder = join(stateFolder, "processes");
  }

  newKey(name: string): string {
    return `${hash(name)}-${randomBytes(4).toString("hex")}`;
  }

  idOf(key: string, { pid, start }: ProcessIdentity): string {
    return `${pid}-${start}-${key}`;
  }

  /** The parts of an id: the key, and the process as it was first started. */
  readId(id: string): { readonly key: string; readonly first: ProcessIdentity } {
    const [, pid, start, key] = idPattern.exec(id) ?? [];
    if (pid === undefined || start === undefined || key === undefined)
      throw new Error(`${JSON.stringify(id)} is not the id of a Process`);
    return { key, first: { pid: Number(pid), start } };
  }

  logFile(key: string): string {
    return join(this.#folder, `${key}.log`);
  }

  /** Where the process itself writes its number before it becomes the command. */
  startedFile(key: string): string {
    return join(this.#folder, `${key}.started`);
  }

  async write(
    key: string,
    { launch, graceMs }: ProcessPlan,
    running?: ProcessIdentity,
  ): Promise<void> {
    const entry: ProcessEntry = {
      launch: hashLaunch(launch),
      graceMs,
      ...(running === undefined ? {} : { running }),
    };
    await writeState(this.#entryFile(key), entry);
  }

  async forget(key: string): Promise<void> {
    for (const file of [this.startedFile(key), this.logFile(key), this.#entryFile(key)])
      await removeState(file);
  }

  /** The process behind an id, which may have been started anew since; undefined when it has ended. */
  async runningOf(id: string): Promise<ProcessIdentity | undefined> {
    const { key, first } = this.readId(id);
    const known = await this.#known(key);
    const identity = known?.running ?? first;
    return (await startOf(identity.pid)) === identity.start ? identity : undefined;
  }

  async graceOf(key: string): Promise<number> {
    return (await this.#known(key))?.graceMs ?? usualGraceMs;
  }

  /** A running process of that name and that command, from a create that never came to its end. */
  async find(
    name: string,
    launch: Launch,
  ): Promise<{ readonly key: string; readonly running: ProcessIdentity } | undefined> {
    const prefix = hash(name);
    const files = await readdir(this.#folder).catch(() => []);
    for (const file of files) {
      const key = file.endsWith(".json") ? file.slice(0, -".json".length) : "";
      if (!key.startsWith(`${prefix}-`)) continue;
      const entry = await this.#known(key);
      const running = entry?.running;
      if (running === undefined || entry?.launch !== hashLaunch(launch)) continue;
      if ((await startOf(running.pid)) === running.start) return { key, running };
    }
    return undefined;
  }

  async #known(key: string): Promise<ProcessEntry | undefined> {
    const entry = await readState<ProcessEntry>(this.#entryFile(key));
    if (entry === undefined || entry.running !== undefined) return entry;
    const written = await readFile(this.startedFile(key), "utf8").catch(() => "");
    const [pid = "", line = ""] = written.split("\n");
    const start = line === "" ? undefined : await startIn(line);
    return start === undefined ? entry : { ...entry, running: { pid: Number(pid), start } };
  }

  #entryFile(key: string): string {
    return join(this.#folder, `${key}.json`);
  }
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function hashLaunch({ argv, directory, environment }: Launch): string {
  const variables = Object.keys(environment)
    .sort()
    .map((name) => [name, environment[name]]);
  return hash(JSON.stringify([argv, directory, variables]));
}
