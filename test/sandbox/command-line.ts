/** Real kubectl and helm against a sandbox, for tests that read like a terminal. */
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSandbox } from "../../src/sandbox/index.ts";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";

export interface CommandLine {
  /** Runs a command as a shell would split it; quotes keep words together. Returns what it prints. */
  readonly run: (command: string, options?: RunOptions) => Promise<string>;
  /** Writes a file that commands find under its name. */
  readonly file: (name: string, text: string) => Promise<void>;
  /** Where files are written and commands run. */
  readonly folder: string;
  readonly close: () => Promise<void>;
}

export interface RunOptions {
  readonly input?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const longestRunMs = 30_000;

export async function openCommandLine(): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-kubectl-"));
  const sandbox = await createSandbox();
  await writeFile(join(folder, "kubeconfig"), sandbox.kubeconfig, { mode: 0o600 });
  const programs: Readonly<Record<string, string>> = {
    kubectl: await kubectlPath(),
    helm: await helmPath(),
  };
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    KUBECONFIG: join(folder, "kubeconfig"),
  };
  return {
    folder,
    run: (command, options = {}) => {
      const [program = "", ...args] = words(command);
      const path = programs[program];
      if (path === undefined) throw new Error(`${program} is no program of these tests`);
      return execute(path, args, folder, { ...env, ...options.env }, options.input);
    },
    file: (name, text) => writeFile(join(folder, name), text),
    close: async () => {
      await sandbox.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** What a program prints, errors last, and its exit code if it is not zero. */
function execute(
  path: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  input: string | undefined,
): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(
      path,
      args,
      { cwd, env, timeout: longestRunMs, maxBuffer: 64 * 1024 * 1024 },
      (error, stdout, stderr) => {
        const code = error === null ? "" : `(exit ${String(error.code ?? error.signal)})\n`;
        resolve(`${stdout}${stderr}${code}`);
      },
    );
    child.stdin?.end(input ?? "");
  });
}

/** Splits `a 'b c' d` into its words. */
function words(command: string): readonly string[] {
  const found = command.matchAll(/(?:[^\s'"]+|'[^']*'|"[^"]*")+/g);
  return [...found].map(([word]) => word.replaceAll(/'([^']*)'|"([^"]*)"/g, "$1$2"));
}
