import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Cluster } from "../../src/cluster/index.ts";
import { DevLoop, type DevSource, type DevState } from "../../src/devloop/index.ts";
import { FileWatcher } from "../../src/devloop/files/file-watcher.ts";
import { logLevel } from "../../src/events/index.ts";
import type { TimedEvent } from "../../src/events/index.ts";
import { openSandboxCluster } from "../../src/sandbox/index.ts";
import { DevProject } from "./dev-project.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "keelson-loop-")));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function next(state: DevState, isWanted: (event: TimedEvent) => boolean): Promise<TimedEvent> {
  return new Promise((resolve) => {
    const stop = state.subscribe((event) => {
      if (!isWanted(event)) return;
      stop();
      resolve(event);
    });
  });
}

describe("a dev loop without a command line", () => {
  let cluster: Cluster;
  beforeEach(async () => {
    ({ cluster } = await openSandboxCluster(join(folder, "data"), { namespace: "default" }));
  });
  afterEach(async () => {
    await cluster.close();
  });
  const failing = (paths: readonly string[]): DevSource => ({
    inputs: () => Promise.resolve({ paths: [] }),
    load: () =>
      Promise.resolve({
        kind: "failed",
        diagnostics: [{ code: "objects.file-missing", severity: "error", summary: "it is broken" }],
        watched: { paths },
      }),
  });

  it("has a state of plain data, and says what goes unnoticed", async () => {
    mkdirSync(join(folder, "a/b"), { recursive: true });
    const loop = new DevLoop({
      cluster,
      source: failing([join(folder, "a")]),
      only: [],
      watches: true,
      environment: {},
      holder: "test",
      mostFolders: 2,
    });
    const warned = next(loop.state, ({ type }) => type === "warning");
    await loop.start();
    expect(await warned).toMatchObject({
      code: "devloop.watch",
      summary: `changes in ${join(folder, "a/b")} go unnoticed`,
    });
    const snapshot = loop.state.snapshot();
    expect(structuredClone(snapshot)).toEqual({
      revision: expect.any(Number) as number,
      source: {
        status: "error",
        message: "the source cannot be read; it is read again when it changes",
      },
      components: [],
    });
    expect(loop.trigger("nobody")).toBe(false);
    await loop.close();
  });
});

describe("watched files", () => {
  const changes = (): { readonly watcher: FileWatcher; readonly next: () => Promise<string[]> } => {
    const waiting: ((paths: string[]) => void)[] = [];
    const told: string[][] = [];
    const watcher = new FileWatcher({
      onChange: (paths) => {
        const relative = paths.map((path) => path.slice(folder.length + 1));
        const waiter = waiting.shift();
        if (waiter === undefined) told.push(relative);
        else waiter(relative);
      },
      onTrouble: (_path, error) => {
        throw error;
      },
    });
    return {
      watcher,
      next: () =>
        new Promise((resolve) => {
          const first = told.shift();
          if (first === undefined) waiting.push(resolve);
          else resolve(first);
        }),
    };
  };

  /** Deleting a folder is several changes, which may come one after the other. */
  const until = async (change: () => Promise<string[]>, path: string): Promise<void> => {
    while (!(await change()).includes(path));
  };

  it("are told together, also in folders that are new, and others are not", async () => {
    mkdirSync(join(folder, "in/.git"), { recursive: true });
    writeFileSync(join(folder, "beside.txt"), "");
    const { watcher, next: change } = changes();
    watcher.watch([join(folder, "in"), join(folder, "file.txt"), join(folder, "none/deep.txt")]);
    try {
      writeFileSync(join(folder, "beside.txt"), "other");
      writeFileSync(join(folder, "in/.git/index"), "other");
      writeFileSync(join(folder, "in/b.txt"), "new");
      writeFileSync(join(folder, "in/a.txt"), "new");
      expect(await change()).toEqual(["in/a.txt", "in/b.txt"]);
      mkdirSync(join(folder, "in/more/deep"), { recursive: true });
      writeFileSync(join(folder, "in/more/deep/c.txt"), "new");
      expect(await change()).toEqual(["in/more/deep/c.txt"]);
      writeFileSync(join(folder, "in/more/deep/c.txt"), "changed");
      expect(await change()).toEqual(["in/more/deep/c.txt"]);
      writeFileSync(join(folder, "file.txt"), "new");
      expect(await change()).toEqual(["file.txt"]);
      mkdirSync(join(folder, "none"));
      writeFileSync(join(folder, "none/deep.txt"), "new");
      expect(await change()).toEqual(["none/deep.txt"]);
      rmSync(join(folder, "in/a.txt"));
      expect(await change()).toEqual(["in/a.txt"]);
      rmSync(join(folder, "in/more"), { recursive: true });
      await until(change, "in/more/deep/c.txt");
      mkdirSync(join(folder, "in/more"));
      writeFileSync(join(folder, "in/more/d.txt"), "new");
      await until(change, "in/more/d.txt");
      writeFileSync(join(folder, "in/more/d.txt"), "changed");
      await until(change, "in/more/d.txt");
    } finally {
      watcher.close();
    }
  });
});

describe("a watched folder", () => {
  it("may go and come back, with all that is around it", async () => {
    mkdirSync(join(folder, "out/src"), { recursive: true });
    const told: string[] = [];
    let wake = (): void => undefined;
    const watcher = new FileWatcher({
      onChange: (paths) => {
        told.push(...paths.map((path) => path.slice(folder.length + 1)));
        wake();
      },
      onTrouble: (_path, error) => {
        throw error;
      },
    });
    const saw = async (path: string): Promise<void> => {
      while (!told.includes(path))
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      told.length = 0;
    };
    watcher.watch([join(folder, "out/src")]);
    try {
      for (const [gone, text] of [
        ["out/src", "one"],
        ["out", "two"],
        ["out/src", "three"],
      ] as const) {
        writeFileSync(join(folder, "out/src/a.txt"), text);
        await saw("out/src/a.txt");
        rmSync(join(folder, gone), { recursive: true });
        await saw("out/src/a.txt");
        mkdirSync(join(folder, "out/src"), { recursive: true });
        writeFileSync(join(folder, "out/src/b.txt"), text);
        await saw("out/src/b.txt");
      }
    } finally {
      watcher.close();
    }
  });
});

describe("trouble of keelson up", () => {
  let project: DevProject;
  afterEach(async () => {
    await project.close();
  });

  it("is a command that does not delete what it deployed", async () => {
    project = new DevProject({
      Tiltfile:
        "k8s_custom_deploy('x', apply_cmd='true', delete_cmd='echo stuck; exit 1', deps=[])",
    });
    const { code, stderr } = await project.run("down");
    expect(code).toBe(1);
    expect(stderr).toContain("error[devloop.update]: the command that deletes x failed\n  stuck");
  });
});

describe("the level of a line", () => {
  it.each([
    ["plain", "info"],
    ["ERROR: broken", "error"],
    ["2026 WARN careful", "warn"],
    ['{"level":"debug","msg":"an error word"}', "debug"],
    ['{"level":50,"msg":"x"}', "error"],
    ['{"severity":"WARNING"}', "warn"],
    ["terrorism", "info"],
  ])("%s: %s", (line, expected) => {
    expect(logLevel(line)).toBe(expected);
  });
});
