import { stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { namedMain } from "./named-main.ts";

const tiltfileName = /^Tiltfile|\.tiltfile$/;

/**
 * The Tiltfile that a path means: itself, or the one of a directory, which then speaks for all of it unless
 * its keelson.json names a program.
 */
export async function tiltfilePath(path: string): Promise<string | undefined> {
  if (path === "-") return undefined;
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() === true) return tiltfileName.test(basename(path)) ? path : undefined;
  if (found?.isDirectory() !== true) return undefined;
  const main = await namedMain(path);
  const inside = join(path, main ?? "Tiltfile");
  if (!tiltfileName.test(basename(inside))) return undefined;
  return (await stat(inside).catch(() => undefined))?.isFile() === true ? inside : undefined;
}
