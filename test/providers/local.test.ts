import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import type { JsonObject } from "../../src/json/index.ts";
import {
  type Created,
  type LogLine,
  openProviders,
  type Provider,
  type ProviderContext,
} from "../../src/providers/index.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-local-"));
const state = join(folder, "state");
const environment = { PATH: process.env["PATH"], XDG_STATE_HOME: state };
const host = openProviders({ projectFolder: folder, environment });
const provider: Provider = await host.provider("keelson");
let count = 0;

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

function contextOf(className: string, lines: string[] = []): ProviderContext {
  return {
    type: `keelson:${className}`,
    name: `dev:local:index:keelson:${className}#${count++}`,
    signal: new AbortController().signal,
    log: (line) => lines.push(line),
  };
}

async function makeProcess(
  inputs: JsonObject,
): Promise<{ readonly created: Created; readonly context: ProviderContext }> {
  const context = contextOf("local/Process");
  const created = await provider.create(inputs, context);
  onTestFinished(() => provider.delete(created.id, context));
  return { created, context };
}

async function readLog(
  { id }: Created,
  context: ProviderContext,
  options: { readonly follow?: boolean; readonly sinceMs?: number; readonly until?: string } = {},
): Promise<readonly LogLine[]> {
  const { follow = false, sinceMs, until } = options;
  const lines: LogLine[] = [];
  for await (const line of provider.fetchLog?.(id, { follow, sinceMs }, context) ?? []) {
    lines.push(line);
    if (line.text === until) break;
  }
  return lines;
}

describe("File", () => {
  it("has the contents and the mode, and says their hash", async () => {
    const inputs = { path: "deep/down/a.txt", content: "grüße\n", mode: "0600" };
    const { id, outputs } = await provider.create(inputs, contextOf("local/File"));
    expect(await readFile(join(folder, "deep/down/a.txt"), "utf8")).toBe("grüße\n");
    expect((await stat(id)).mode & 0o777).toBe(0o600);
    expect(outputs).toEqual({
      path: join(folder, "deep/down/a.txt"),
      sha256: "b8fb07e729d2c238732229327c1b0669dcb8a15705340409cbbed2a6995898e2",
      mode: "0600",
    });
    expect(await readdir(join(folder, "deep/down"))).toEqual(["a.txt"]);
  });

  it("leaves nothing of a run that was killed", async () => {
    const left = join(folder, "killed/a.txt.keelson-unfinished");
    const leave = async (): Promise<void> => {
      await mkdir(join(folder, "killed"), { recursive: true });
      await writeFile(left, "half of a secr", { mode: 0o400 });
    };
    const inputs = { path: "killed/a.txt", content: "a secret" };
    const context = contextOf("local/File");
    await leave();
    const { id } = await provider.create(inputs, context);
    expect(await readdir(join(folder, "killed"))).toEqual(["a.txt"]);
    await leave();
    expect(await provider.find?.(inputs, context)).toMatchObject({ id });
    expect(await readdir(join(folder, "killed"))).toEqual(["a.txt"]);
    await leave();
    await provider.update(id, inputs, { ...inputs, content: "another" }, context);
    expect(await readFile(id, "utf8")).toBe("another");
    expect(await readdir(join(folder, "killed"))).toEqual(["a.txt"]);
    await leave();
    await provider.delete(id, context);
    expect(await readdir(join(folder, "killed"))).toEqual([]);
  });

  it("does not overwrite what is there", async () => {
    await writeFile(join(folder, "mine.txt"), "mine");
    const inputs = { path: "mine.txt", content: "theirs" };
    await expect(provider.create(inputs, contextOf("local/File"))).rejects.toThrow(
      `${join(folder, "mine.txt")} is there already, with other contents`,
    );
    expect(await readFile(join(folder, "mine.txt"), "utf8")).toBe("mine");
  });

  it("notices what others change, and puts it right", async () => {
    const context = contextOf("local/File");
    const inputs = { path: "changed.txt", content: "ours" };
    const { id, outputs } = await provider.create(inputs, context);
    await writeFile(id, "theirs");
    expect(await provider.read(id, context)).not.toEqual(outputs);
    await rm(id);
    expect(await provider.update(id, inputs, inputs, context)).toEqual(outputs);
    await chmod(id, 0o666);
    expect((await provider.read(id, context))?.["mode"]).toBe("0666");
    expect(await provider.update(id, inputs, inputs, context)).toEqual(outputs);
    expect(await provider.read(id, context)).toEqual(outputs);
  });

  it("is not said to be gone when that cannot be told", async () => {
    await mkdir(join(folder, "directory"));
    await expect(provider.read(join(folder, "directory"), contextOf("local/File"))).rejects.toThrow(
      "EISDIR",
    );
  });
});

describe("Command", () => {
  it("gives what it printed, and tells it while it runs", async () => {
    const lines: string[] = [];
    const inputs = {
      command: ["sh", "-c", 'echo "$1"; pwd; echo "$SECRET" >&2', "sh", "two words"],
      directory: "/",
      environment: { SECRET: "s" },
    };
    const { outputs } = await provider.create(inputs, contextOf("local/Command", lines));
    expect(outputs).toEqual({ stdout: "two words\n/", stderr: "s", exitCode: 0 });
    expect(lines.sort()).toEqual(["/", "s", "two words"]);
  });

  it("fails with its last lines", async () => {
    const context = { ...contextOf("local/Command"), name: "build" };
    await expect(
      provider.create({ command: "echo first; echo broken >&2; exit 3" }, context),
    ).rejects.toMatchObject({
      diagnostics: [
        {
          code: "provider.failed",
          summary:
            "creating build failed: echo first; echo broken >&2; exit 3 ended with exit code 3",
          detail: '| broken\nsaid by the provider of the package "keelson", built in',
        },
      ],
    });
    await expect(provider.create({ command: ["no-such-program"] }, context)).rejects.toThrow(
      "creating build failed: no-such-program could not be started: spawn no-such-program ENOENT",
    );
  });

  it("runs again when it or its triggers change, and not for its end", async () => {
    const context = contextOf("local/Command");
    const file = join(folder, "runs.txt");
    const inputs: JsonObject = { command: `echo run >> "${file}"; wc -l < "${file}"`, triggers: 1 };
    const runs = async (): Promise<string> => (await readFile(file, "utf8")).trim();
    const { id } = await provider.create(inputs, context);
    const again = { ...inputs, triggers: 2 };
    await provider.update(id, inputs, again, context);
    expect(await runs()).toBe("run\nrun");
    const withEnd = { ...again, delete: `echo end >> "${file}"` };
    const outputs = await provider.update(id, again, withEnd, context);
    expect(await runs()).toBe("run\nrun");
    expect(await provider.read(id, context)).toEqual(outputs);
    await provider.delete(id, context);
    await provider.delete(id, context);
    expect(await runs()).toBe("run\nrun\nend");
  });

  it("is ended with all that it started when the user interrupts", async () => {
    const controller = new AbortController();
    const lines: string[] = [];
    const context = {
      ...contextOf("local/Command"),
      signal: controller.signal,
      log: (line: string) => {
        lines.push(line);
        controller.abort();
      },
    };
    const running = provider.create({ command: "sleep 600 & echo $!; wait" }, context);
    await expect(running).rejects.toThrow("was interrupted");
    expect(isAlive(Number(lines[0]))).toBe(false);
  });

  it("says that it runs again after it was interrupted", async () => {
    const lines: string[] = [];
    await provider.find?.({ command: "make" }, contextOf("local/Command", lines));
    expect(lines).toEqual(["the command was interrupted when it ran last; it is run again"]);
  });
});

describe("Process", () => {
  it("goes on when Keelson is killed, and is found by its name", async () => {
    const inputs = { command: "echo here; exec sleep 600" };
    const context = contextOf("local/Process");
    const script = `
      const { openProviders } = await import(${JSON.stringify(pathToFileURL(join(import.meta.dirname, "../../src/providers/index.ts")).href)});
      const host = openProviders(${JSON.stringify({ projectFolder: folder, environment })});
      const context = { ...${JSON.stringify(context)}, signal: AbortSignal.any([]), log() {} };
      const provider = await host.provider("keelson");
      const created = await provider.create(${JSON.stringify(inputs)}, context);
      console.log(JSON.stringify(created));
      process.kill(process.pid, "SIGKILL");`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.on("data", (chunk: Buffer) => (printed += chunk.toString()));
    await new Promise((resolve) => child.once("close", resolve));
    const created = JSON.parse(printed) as Created;
    onTestFinished(() => provider.delete(created.id, context));
    expect(await provider.read(created.id, context)).toEqual(created.outputs);
    expect(await provider.find?.(inputs, context)).toEqual(created);
    // As if Keelson had been killed before it could write down what it had started.
    const entries = join(state, "keelson/local/processes");
    for (const file of (await readdir(entries)).filter((name) => name.endsWith(".json"))) {
      const { running: _, ...entry } = JSON.parse(
        await readFile(join(entries, file), "utf8"),
      ) as JsonObject;
      await writeFile(join(entries, file), JSON.stringify(entry));
    }
    expect(await provider.find?.(inputs, context)).toEqual(created);
    expect(await provider.find?.({ command: "sleep 601" }, context)).toBe(undefined);
    expect(await provider.read(created.id, context)).toEqual(created.outputs);
  });

  it("is not mistaken for another one with its number", async () => {
    const context = contextOf("local/Process");
    const id = `${process.pid}-00000000.1-0123456789abcdef-01234567`;
    expect(await provider.read(id, context)).toBe(undefined);
    await provider.delete(id, context);
    await expect(provider.read("17", context)).rejects.toThrow('"17" is not the id of a Process');
  });

  it("is started again when it changes, under the same id", async () => {
    const inputs = {
      command: ["sh", "-c", "echo $WORD; exec sleep 600"],
      environment: { WORD: "a" },
    };
    const { created, context } = await makeProcess(inputs);
    const changed = { ...inputs, environment: { WORD: "b" } };
    const outputs = await provider.update(created.id, inputs, changed, context);
    expect(outputs["pid"]).not.toBe(created.outputs["pid"]);
    expect(isAlive(Number(created.outputs["pid"]))).toBe(false);
    expect((await readLog(created, context)).map(({ text }) => text)).toEqual(["a", "b"]);
    const patient = { ...changed, graceSeconds: 20 };
    expect(await provider.update(created.id, changed, patient, context)).toEqual(outputs);
  });

  it("that ends at once is an error with its last lines", async () => {
    const context = { ...contextOf("local/Process"), name: "web" };
    await expect(
      provider.create({ command: ["sh", "-c", "echo port in use; exit 7"] }, context),
    ).rejects.toMatchObject({
      diagnostics: [
        {
          summary:
            "creating web failed: sh -c echo port in use; exit 7 ended with exit code 7 as soon as it was started",
          detail: '| port in use\nsaid by the provider of the package "keelson", built in',
        },
      ],
    });
    await expect(provider.create({ command: ["no-such-program"] }, context)).rejects.toThrow(
      "no-such-program ended with exit code 127 as soon as it was started",
    );
    await expect(
      provider.create({ command: "sleep 1", directory: "nowhere" }, context),
    ).rejects.toThrow(`could not be started in ${join(folder, "nowhere")}`);
  });

  it("ends with everything that it started, by force if need be", async () => {
    const command = "trap '' TERM; sleep 600 & echo $!; wait; sleep 600";
    const { created, context } = await makeProcess({ command, graceSeconds: 1 });
    const [line] = await readLog(created, context);
    await provider.delete(created.id, context);
    expect(isAlive(Number(created.outputs["pid"]))).toBe(false);
    expect(isAlive(Number(line?.text))).toBe(false);
    await expect(readFile(created.outputs["logFile"] as string)).rejects.toThrow("ENOENT");
  });

  it("shows its log from a time on, and follows it to the end of the process", async () => {
    const command =
      "echo no time; echo 2020-01-01T00:00:00Z old; echo of the old; echo 2030-01-01T00:00:00Z new; " +
      "echo of the new; sleep 1; echo last";
    const { created, context } = await makeProcess({ command });
    const lines = await readLog(created, context, { sinceMs: Date.parse("2025-01-01T00:00:00Z") });
    expect(lines.map(({ text }) => text).slice(0, 3)).toEqual([
      "no time",
      "2030-01-01T00:00:00Z new",
      "of the new",
    ]);
    const all = await readLog(created, context, { follow: true });
    expect(all.at(-1)?.text).toBe("last");
    expect(all.at(-1)?.timeMs).toBeGreaterThan(Date.parse("2026-01-01T00:00:00Z"));
  });

  it("tells what it uses", async () => {
    const command = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo done; exec sleep 600";
    const { created, context } = await makeProcess({ command });
    await readLog(created, context, { follow: true, until: "done" });
    const [cpu, memory] = (await provider.fetchStats?.(created.id, context)) ?? [];
    expect(cpu?.points[0]?.value).toBeGreaterThan(0);
    expect(memory?.points[0]?.value).toBeGreaterThan(100_000);
  });
});

describe("random", () => {
  it("gives as many bytes as wanted, never the same", async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, () => provider.create({ bytes: 16 }, contextOf("random/Id"))),
    );
    expect(new Set(ids.map(({ id }) => id)).size).toBe(20);
    for (const { outputs } of ids) {
      expect(outputs["hex"]).toMatch(/^[0-9a-f]{32}$/);
      const base64 = Buffer.from(outputs["base64"] as string, "base64");
      expect(base64.toString("hex")).toBe(outputs["hex"]);
    }
  });

  it("gives passwords that are secret and hold every kind of character", async () => {
    const context = contextOf("random/Password");
    for (let round = 0; round < 50; round++) {
      const { outputs, secrets, id } = await provider.create({ length: 8, special: true }, context);
      expect(secrets).toEqual(["value"]);
      expect(id).not.toContain(outputs["value"]);
      for (const kind of [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/, /^.{8}$/])
        expect(outputs["value"]).toMatch(kind);
    }
    const plain = await provider.create({ length: 100 }, context);
    expect(plain.outputs["value"]).toMatch(/^[a-zA-Z0-9]{100}$/);
    expect((await provider.create({ length: 1 }, context)).outputs["value"]).toHaveLength(1);
  });

  it("never makes up another password for one that it made", async () => {
    const context = contextOf("random/Password");
    await expect(provider.read("password-1", context)).rejects.toThrow(
      "the value of a Password is only in its record, and that is not at hand",
    );
    await expect(
      provider.update("password-1", { length: 8 }, { length: 9 }, context),
    ).rejects.toThrow("length cannot be changed in place");
  });
});

/** What has ended but is not yet collected by its parent counts as ended. */
function isAlive(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
  return /^[^Z\s]/.test(stdout.trim());
}
