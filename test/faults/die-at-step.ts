/**
 * A process of its own that writes a `local.File` and kills itself at one step: the nth call of the file system or of
 * a program that has to do with the folder of the file. It prints how many steps there were if it came to the end.
 */
import childProcess from "node:child_process";
import { constants, promises } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname } from "node:path";
import { openProviders } from "../../src/providers/index.ts";

const [path = "", stepText = "", oldContent] = process.argv.slice(2);
const lastStep = Number(stepText);
const newContent = "new ".repeat(2_000_000);
let step = 0;

function die(): void {
  if (step++ === lastStep) process.kill(process.pid, "SIGKILL");
}

function dieAround(owner: object, name: string): void {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== "function") throw new TypeError(`${name} is no function`);
  Reflect.set(owner, name, function (this: unknown, ...args: readonly unknown[]): unknown {
    die();
    const result: unknown = Reflect.apply(original, this, args);
    // What is begun may be done, or not.
    die();
    if (!(result instanceof Promise)) return result;
    return result.then((value: unknown) => {
      die();
      return value;
    });
  });
}

const handle = await promises.open(dirname(path), constants.O_RDONLY);
const ofHandles = Object.getPrototypeOf(handle) as Record<string, unknown>;
await handle.close();
// A large file is written piece by piece: the process ends in the middle of it.
ofHandles["writeFile"] = async function (this: typeof handle, content: string): Promise<void> {
  const half = content.length / 2;
  await this.write(content.slice(0, half));
  die();
  await this.write(content.slice(half));
};
for (const name of ["writeFile", "chmod", "sync"]) dieAround(ofHandles, name);
for (const name of ["open", "link", "rename", "rm"]) dieAround(promises, name);
dieAround(childProcess, "spawn");
syncBuiltinESMExports();

const host = openProviders({ projectFolder: dirname(path), environment: process.env });
const provider = await host.provider("keelson");
const context = {
  type: "keelson:local/File",
  name: "dev:local:index:keelson:local/File#a",
  signal: new AbortController().signal,
  log: () => undefined,
};
if (oldContent === undefined) await provider.create({ path, content: newContent }, context);
else
  await provider.update(
    path,
    { path, content: oldContent },
    { path, content: newContent },
    context,
  );
await host.close();
process.stdout.write(String(step));
