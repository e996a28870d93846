import { readFile, stat } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { Ignore } from "ignore";

/** In the order in which they count: what a later one says of a path holds. */
const files = [".gitignore", ".krmignore", ".keelsonignore"];

/** What the ignore files of one folder say of what is below it. */
export interface IgnoreRules {
  readonly folder: string;
  readonly matcher: Ignore;
}

/** The rules of the ignore files of a folder, if it has any. */
export async function ignoreRulesIn(folder: string): Promise<readonly IgnoreRules[]> {
  const texts = await Promise.all(
    files.map((name) => readFile(join(folder, name), "utf8").catch(() => "")),
  );
  if (texts.every((text) => text === "")) return [];
  const { default: ignore } = await import("ignore");
  return [{ folder, matcher: ignore().add(texts.join("\n")) }];
}

/**
 * The rules that hold for a folder from above it, up to the root of its repository. None where they leave out
 * the folder itself: whoever names it means it.
 */
export async function ignoreRulesAbove(path: string): Promise<readonly IgnoreRules[]> {
  const start = resolve(path);
  const above: string[] = [];
  for (let folder = start; ; folder = dirname(folder)) {
    if (folder !== start) above.unshift(folder);
    if (await exists(join(folder, ".git"))) break;
    if (folder === dirname(folder)) return [];
  }
  const rules = (await Promise.all(above.map(ignoreRulesIn))).flat();
  return isIgnored(rules, start, true) ? [] : rules;
}

/** Whether rules leave a path out; those of deeper folders count more. */
export function isIgnored(
  rules: readonly IgnoreRules[],
  path: string,
  isDirectory: boolean,
): boolean {
  let isOut = false;
  for (const { folder, matcher } of rules) {
    const below = relative(resolve(folder), resolve(path)).split(sep).join("/");
    if (below === "" || below.startsWith("../")) continue;
    const { ignored, unignored } = matcher.test(isDirectory ? `${below}/` : below);
    isOut = ignored || (isOut && !unignored);
  }
  return isOut;
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
