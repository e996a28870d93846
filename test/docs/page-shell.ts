import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";

const root = join(import.meta.dirname, "../..");
const longestCommandMs = 60_000;

/** A shell of somebody who follows a page: a folder and a home of its own, and all tools on the path. */
export class PageShell {
  readonly folder: string;
  readonly #home: string;
  readonly #shell: ChildProcessWithoutNullStreams;
  #printed = "";
  #onOutput: () => void = () => undefined;
  #commands = 0;

  static async open(): Promise<PageShell> {
    const home = await mkdtemp(join(tmpdir(), "keelson-page-"));
    const tools = join(home, "bin");
    await mkdir(join(home, "work"));
    await mkdir(tools);
    const keelson = join(tools, "keelson");
    const script = `#!/bin/sh\nexec ${process.execPath} ${join(root, "bin/keelson.js")} "$@"\n`;
    await writeFile(keelson, script);
    await chmod(keelson, 0o755);
    await symlink(process.execPath, join(tools, "node"));
    await symlink(await kubectlPath(), join(tools, "kubectl"));
    await symlink(await helmPath(), join(tools, "helm"));
    // As after `npm install --save-dev keelson`.
    await mkdir(join(home, "work/node_modules"));
    await symlink(root, join(home, "work/node_modules/keelson"));
    return new PageShell(home, tools);
  }

  private constructor(home: string, tools: string) {
    this.#home = home;
    this.folder = join(home, "work");
    const { KUBECONFIG: _kubeconfig, NODE_OPTIONS: _options, ...inherited } = process.env;
    this.#shell = spawn("bash", ["--noprofile", "--norc"], {
      cwd: this.folder,
      // Whatever it leaves running ends with it.
      detached: true,
      env: {
        ...inherited,
        HOME: home,
        XDG_STATE_HOME: join(home, "state"),
        XDG_CACHE_HOME: join(home, "cache"),
        PATH: `${tools}${delimiter}${process.env["PATH"] ?? ""}`,
        CI: "true",
      },
    });
    const hear = (chunk: Buffer): void => {
      this.#printed += chunk.toString();
      this.#onOutput();
    };
    this.#shell.stdout.on("data", hear);
    this.#shell.stderr.on("data", hear);
  }

  async write(path: string, content: string): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Runs a command to its end; what it printed, without the folder's own path, and how it ended. */
  async run(line: string): Promise<{ readonly printed: string; readonly code: number }> {
    const mark = `end-of-command-${this.#commands++}`;
    this.#printed = "";
    const ended = Promise.withResolvers<number>();
    this.#onOutput = () => {
      const found = new RegExp(`${mark} (\\d+)\\n`).exec(this.#printed);
      if (found !== null) ended.resolve(Number(found[1]));
    };
    const timer = setTimeout(() => {
      ended.reject(new Error(`it does not end: ${line}\n${this.#printed}`));
    }, longestCommandMs);
    this.#shell.stdin.write(`${line}\necho "${mark} $?"\n`);
    try {
      const code = await ended.promise;
      const printed = this.#printed.replace(new RegExp(`${mark} \\d+\\n`), "");
      return {
        printed: printed.replaceAll(`${this.folder}/`, "").replaceAll(this.#home, "~"),
        code,
      };
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    const { pid } = this.#shell;
    const closed = new Promise((resolve) => this.#shell.once("close", resolve));
    if (pid !== undefined) process.kill(-pid, "SIGTERM");
    await closed;
    await rm(this.#home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
