import { spawnSync } from "node:child_process";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type IPty, spawn } from "@lydell/node-pty";
import { makeReaderHome, type ReaderHome } from "./reader-home.ts";
import { Screen } from "./screen.ts";

const longestCommandMs = 60_000;
const longestEndMs = 10_000;

export interface Ended {
  /** What stands on the terminal, without the folder's own path. */
  readonly printed: string;
  readonly code: number;
}

/** A shell on a terminal, with everything around it as somebody finds it who has just installed the package. */
export class TerminalShell {
  readonly home: string;
  readonly folder: string;
  readonly #pty: IPty;
  readonly #screen: Screen;
  readonly #exited: Promise<void>;
  readonly #watchers = new Set<() => void>();
  #ended: Ended | undefined;

  static async open({
    columns = 120,
    env = {},
  }: {
    readonly columns?: number;
    /** What a page asks its reader to set. */
    readonly env?: Readonly<Record<string, string>>;
  } = {}): Promise<TerminalShell> {
    const reader = await makeReaderHome();
    const shell = new TerminalShell(reader, columns, env);
    try {
      // Bash marks where the output of a command begins and ends; see `Screen`.
      await shell.run(String.raw`PS0='\e]133;C\a' PS1='\[\e]133;D;$?\a\]$ '`);
      // As the README says.
      await shell.run("export PATH=$PWD/node_modules/.bin:$PATH");
      return shell;
    } catch (error) {
      await shell.close();
      throw error;
    }
  }

  private constructor(
    { home, folder, env }: ReaderHome,
    columns: number,
    more: Readonly<Record<string, string>>,
  ) {
    this.home = home;
    this.folder = folder;
    const size = { cols: columns, rows: 40 };
    this.#screen = new Screen(size, (code, printed) => {
      this.#ended = { code, printed: this.#withoutPaths(printed) };
    });
    this.#pty = spawn("/bin/bash", ["--noprofile", "--norc"], {
      ...size,
      name: "xterm-256color",
      cwd: this.folder,
      env: { ...env, ...more },
    });
    this.#exited = new Promise((resolve) => {
      this.#pty.onExit(() => {
        resolve();
      });
    });
    this.#screen.onAnswer((text) => {
      this.#pty.write(text);
    });
    this.#pty.onData((text) => {
      this.#screen.write(text, () => {
        for (const look of this.#watchers) look();
      });
    });
  }

  async write(path: string, content: string): Promise<void> {
    const file = join(this.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }

  /** Types a command and waits for its end. */
  async run(line: string): Promise<Ended> {
    this.type(line);
    return this.ended();
  }

  /** Types a command, which may stay. */
  type(line: string): void {
    this.#ended = undefined;
    this.#pty.write(`${line.replaceAll("\n", "\r")}\r`);
  }

  press(keys: string): void {
    this.#pty.write(keys);
  }

  /** Waits for the end of the command that was typed last. */
  async ended(): Promise<Ended> {
    let ended: Ended | undefined;
    await this.#until("its end", () => (ended = this.#ended) !== undefined);
    if (ended === undefined) throw new Error("the command has not ended");
    return ended;
  }

  /** Waits until what the command has printed is as asked for. */
  async shows(isSo: (printed: string, hasEnded: boolean) => boolean): Promise<void> {
    await this.#until(String(isSo), () => isSo(this.printed, this.#ended !== undefined));
  }

  get printed(): string {
    return this.#ended?.printed ?? this.#withoutPaths(this.#screen.printed);
  }

  get visible(): string {
    return this.#withoutPaths(this.#screen.visible);
  }

  /** All that the command has printed and what it draws over the whole screen, with all paths. */
  get text(): string {
    return `${this.#screen.printed}${this.#screen.visible}`;
  }

  /** Ends what still runs, in the foreground and behind it, and removes the home. */
  async close(): Promise<void> {
    const timer = setTimeout(() => {
      killSession(this.#pty.pid);
    }, longestEndMs);
    if (this.#ended === undefined) {
      this.press("\u0003");
      await Promise.race([this.ended(), this.#exited]);
    }
    this.type("kill -HUP $(jobs -p) 2>/dev/null; wait; exit");
    await this.#exited;
    clearTimeout(timer);
    killSession(this.#pty.pid);
    await rm(this.home, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }

  #withoutPaths(text: string): string {
    return text.replaceAll(`${this.folder}/`, "").replaceAll(this.home, "~");
  }

  async #until(what: string, isSo: () => boolean): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      if (isSo()) resolve();
    };
    const timer = setTimeout(() => {
      reject(new Error(`the terminal does not show ${what}:\n${this.printed}\n${this.visible}`));
    }, longestCommandMs);
    this.#watchers.add(look);
    look();
    try {
      await promise;
    } finally {
      this.#watchers.delete(look);
      clearTimeout(timer);
    }
  }
}

/** All processes of a terminal, whatever group they are in. */
function killSession(session: number): void {
  const { stdout } = spawnSync("ps", ["-o", "pid=", "-s", String(session)], { encoding: "utf8" });
  for (const pid of stdout.split("\n").filter((each) => each.trim() !== ""))
    try {
      process.kill(Number(pid), "SIGKILL");
    } catch {
      // It ended by itself.
    }
}
