import { type ChildProcess, spawn } from "node:child_process";
import { keelsonScript } from "../built-package.ts";

const defaultRows = 16;

/** The command line on a terminal of its own, as somebody in front of it sees and steers it. */
export class Terminal {
  readonly #child: ChildProcess;
  readonly #exited: Promise<number | null>;
  readonly #rows: number;
  #written = "";
  #onChange = (): void => undefined;

  constructor(
    args: readonly string[],
    {
      env,
      folder,
      rows = defaultRows,
      columns = 100,
    }: {
      readonly env: Readonly<Record<string, string>>;
      readonly folder: string;
      readonly rows?: number;
      readonly columns?: number;
    },
  ) {
    this.#rows = rows;
    const words = [process.execPath, keelsonScript, ...args].map((word) => `'${word}'`).join(" ");
    // It runs the command on a pseudo terminal and passes on what is typed and shown.
    const command = `stty rows ${rows} cols ${columns}; exec ${words}`;
    this.#child = spawn("script", ["-qfec", command, "/dev/null"], {
      cwd: folder,
      env: { ...process.env, NODE_OPTIONS: "", CI: "", TERM: "xterm", SHELL: "/bin/sh", ...env },
      stdio: ["pipe", "pipe", "ignore"],
    });
    this.#exited = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      this.#written += chunk;
      this.#onChange();
    });
    void this.#exited.then(() => {
      this.#onChange();
    });
  }

  /** What was last written over the whole screen, without its colours. */
  get screen(): string {
    const screens = this.#written.split("\u001B[H");
    const last = screens.findLast((each) => each.split("\n").length >= this.#rows) ?? "";
    // oxlint-disable-next-line no-control-regex -- control characters are what this is about
    return last.replaceAll(/\u001B\[[\d;?]*[A-Za-z]/g, "").replaceAll("\r", "");
  }

  press(keys: string): void {
    this.#child.stdin?.write(keys);
  }

  /** Waits until the screen is as asked for. */
  async shows(isSo: RegExp | ((screen: string) => boolean)): Promise<void> {
    const matches = (): boolean =>
      typeof isSo === "function" ? isSo(this.screen) : isSo.test(this.screen);
    while (!matches()) {
      if (this.#child.exitCode !== null)
        throw new Error(`it ended before ${String(isSo)} was to be seen:\n${this.#written}`);
      await new Promise<void>((resolve) => {
        this.#onChange = resolve;
      });
    }
  }

  /** Waits until the command has ended, and gives its exit code. */
  exit(): Promise<number | null> {
    return this.#exited;
  }

  /** Ends it, if it still runs. */
  async close(): Promise<void> {
    this.#child.kill("SIGTERM");
    await this.#exited;
  }
}
