import { spawn } from "node:child_process";
import type { Writable } from "node:stream";

/**
 * Reads `+group` and `-group`, and ends the groups that are left when nobody writes any more: then the
 * process that started them is gone, in whichever way.
 */
const script = `trap '' INT TERM HUP
groups=" "
while read -r line; do
  group="\${line#?}"
  case "$line" in
    +*) groups="$groups$group " ;;
    -*) groups="\${groups%% $group *} \${groups#* $group }" ;;
  esac
done
for group in $groups; do kill -s TERM -- "-$group" 2>/dev/null; done
test "$groups" = " " || sleep 2
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done`;

let input: Writable | undefined;

/** Has a process group end when this process ends without ending it, as after `kill -9`. */
export function reap(group: number): void {
  input ??= startReaper();
  input.write(`+${group}\n`);
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
