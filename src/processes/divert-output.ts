import type { ChildProcess as ChildProcessClass } from "node:child_process";
import fs from "node:fs";
import { registerHooks, syncBuiltinESMExports } from "node:module";

const standardOutput = /^(?:file:\/\/)?\/(?:dev\/stdout|dev\/fd\/1|proc\/(?:self|\d+)\/fd\/1)$/;
const standardError = "/dev/stderr";

/** What writes to a file that its first argument names: streams of the file system call them, too. */
const writers =
  "appendFile appendFileSync open openSync write writeSync writeFile writeFileSync writev writevSync".split(
    " ",
  );
const writersOfPromises = ["appendFile", "open", "writeFile"];

let isDiverted = false;

/**
 * Sends what this thread writes to the standard output of the process, other than by the stream that it has already,
 * to standard error: by its number, by its path unless `keepsPaths`, and by child processes that inherit it. There
 * Keelson's own answers are, which code of others must not spoil.
 *
 * Native code and further threads of that code are beyond it.
 */
export function divertOutput({ keepsPaths }: { readonly keepsPaths: boolean }): void {
  if (isDiverted) return;
  isDiverted = true;
  const target = (value: unknown): unknown => {
    if (value === 1) return 2;
    return !keepsPaths && standardOutput.test(String(value)) ? standardError : value;
  };
  const divert = ([first, ...rest]: readonly unknown[]): readonly unknown[] => [
    target(first),
    ...rest,
  ];
  for (const name of writers) wrap(fs, name, divert);
  for (const name of writersOfPromises) wrap(fs.promises, name, divert);
  syncBuiltinESMExports();
  // Most of that code starts no processes, and what does so takes a while to load.
  registerHooks({
    resolve: (specifier, context, nextResolve) => {
      if (/^(?:node:)?child_process$/.test(specifier)) divertChildren();
      return nextResolve(specifier, context);
    },
  });
}

let areChildrenDiverted = false;

function divertChildren(): void {
  if (areChildrenDiverted) return;
  areChildrenDiverted = true;
  const childProcess = process.getBuiltinModule("node:child_process");
  const divert = (given: readonly unknown[]): readonly unknown[] => given.map(divertOptions);
  const { prototype } = childProcess.ChildProcess as unknown as { prototype: ChildProcessClass };
  wrap(prototype, "spawn", divert);
  for (const name of ["execFileSync", "execSync", "spawnSync"]) wrap(childProcess, name, divert);
  syncBuiltinESMExports();
}

/** The options of a child process, if it is these. */
function divertOptions(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("stdio" in value)) return value;
  const { stdio } = value;
  if (stdio === "inherit") return { ...value, stdio: [0, 2, 2] };
  return Array.isArray(stdio) ? { ...value, stdio: stdio.map(divertEnd) } : value;
}

function divertEnd(end: unknown, index: number): unknown {
  const isOutput =
    end === 1 ||
    (index === 1 && end === "inherit") ||
    (typeof end === "object" && end !== null && "fd" in end && end.fd === 1);
  return isOutput ? 2 : end;
}

/** Has a function get other arguments, and be what it was in all else. */
function wrap(
  owner: object,
  name: string,
  divert: (given: readonly unknown[]) => readonly unknown[],
): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") throw new TypeError(`Node has no ${name}`);
  const wrapped = function (this: unknown, ...given: readonly unknown[]): unknown {
    return Reflect.apply(original, this, divert(given));
  };
  Object.defineProperties(wrapped, Object.getOwnPropertyDescriptors(original));
  Reflect.set(owner, name, wrapped);
}
