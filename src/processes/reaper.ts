import { type ChildProcess, spawn } from "node:child_process";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { delimiter, resolve } from "node:path";
import type { Readable, Writable } from "node:stream";

/**
 * Reads `+group` and `-group`, and ends the groups that are left when nobody writes any more: then the
 * process that started them is gone, in whichever way. A group may be taken off more than once.
 */
const script = `trap '' INT TERM HUP
groups=" "
while read -r line; do
  group="\${line#?}"
  case "$line" in
    +*) groups="$groups$group " ;;
    -*) case "$groups" in
      *" $group "*) groups="\${groups%% $group *} \${groups#* $group }" ;;
    esac ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
test "$groups" = " " || sleep 2
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done`;

let input: Writable | undefined;

/** A subshell writes, so that a reaper which is gone ends nothing else. */
const announced = `(echo "+$$" >&3) 2>/dev/null; exec "$0" "$@" 3>&-`;

/**
 * Starts a process in a group of its own, which ends when this process ends without ending it, as after
 * `kill -9`. It announces itself before it becomes the program: this process may be killed at any moment
 * after the program began.
 */
export function spawnReaped(
  program: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    readonly env: Readonly<Record<string, string | undefined>>;
    readonly stdin: "pipe" | "ignore";
  },
): ChildProcess & { readonly stdout: Readable; readonly stderr: Readable } {
  const { cwd, env, stdin } = options;
  // What cannot be started says so best itself.
  const isDirect = !isExecutable(program, options);
  input ??= startReaper();
  const child = spawn(
    isDirect ? program : "/bin/sh",
    isDirect ? args : ["-c", announced, program, ...args],
    { cwd, env, stdio: [stdin, "pipe", "pipe", isDirect ? "ignore" : input], detached: true },
  );
  return child as ChildProcess & { readonly stdout: Readable; readonly stderr: Readable };
}

function isExecutable(
  program: string,
  {
    cwd,
    env,
  }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
): boolean {
  const folders = program.includes("/") ? [cwd] : (env["PATH"] ?? "").split(delimiter);
  return existsSync(cwd) && folders.some((folder) => canRun(resolve(cwd, folder, program)));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** A group that has ended: its number may become that of another. */
export function forgetReaping(group: number): void {
  input?.write(`-${group}\n`);
}

function startReaper(): Writable {
  const child = spawn("/bin/sh", ["-c", script], {
    stdio: ["pipe", "ignore", "ignore"],
    detached: true,
  });
  // Without it nothing is worse than before.
  child.on("error", () => undefined);
  child.stdin.on("error", () => undefined);
  // It must not keep this process from ending.
  child.unref();
  (child.stdin as Writable & { readonly unref?: () => void }).unref?.();
  return child.stdin;
}
