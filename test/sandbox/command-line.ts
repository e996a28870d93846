/** Real kubectl and helm against a sandbox, for tests that read like a terminal. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CreateSandboxOptions, createSandbox } from "../../src/sandbox/index.ts";
import { helmPath, kubectlPath } from "../cluster/kubectl.ts";

export interface CommandLine {
  /** Runs a command as a shell would split it; quotes keep words together. Returns what it prints. */
  readonly run: (command: string, options?: RunOptions) => Promise<string>;
  /** Starts a command that goes on until it is killed. */
  readonly start: (command: string, env?: RunOptions["env"]) => ChildProcess;
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

const longestRunMs = 100_000;

/** With a kubeconfig, the commands speak to its cluster, by a copy of it; else to a new sandbox. */
export async function openCommandLine(
  options: CreateSandboxOptions & { readonly kubeconfig?: string } = {},
): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-kubectl-"));
  const { kubeconfig: given, ...settings } = options;
  const sandbox = given === undefined ? await createSandbox(settings) : undefined;
  const kubeconfig =
    sandbox?.kubeconfig ?? (given === undefined ? "" : await readFile(given, "utf8"));
  await writeFile(join(folder, "kubeconfig"), kubeconfig, { mode: 0o600 });
  const programs: Readonly<Record<string, string>> = {
    kubectl: await kubectlPath(),
    helm: await helmPath(),
  };
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    KUBECONFIG: join(folder, "kubeconfig"),
  };
  const parse = (command: string): { readonly path: string; readonly args: readonly string[] } => {
    const [program = "", ...args] = words(command);
    const path = programs[program];
    if (path === undefined) throw new Error(`${program} is no program of these tests`);
    return { path, args };
  };
  return {
    folder,
    run: (command, { env: more, input } = {}) => {
      const { path, args } = parse(command);
      return execute(path, args, folder, { ...env, ...more }, input);
    },
    start: (command, more) => {
      const { path, args } = parse(command);
      return spawn(path, args, {
        cwd: folder,
        env: { ...env, ...more },
        stdio: ["pipe", "pipe", "pipe"],
      });
    },
    file: (name, text) => writeFile(join(folder, name), text),
    close: async () => {
      await sandbox?.close();
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
