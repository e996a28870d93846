import { dirname, isAbsolute, join } from "node:path";

/** Whether a package is named by where it is. */
export function isPath(packageName: string): boolean {
  return isAbsolute(packageName) || /^\.\.?(?:\/|$)/.test(packageName);
}

/** Where Node looks for packages from a folder, the nearest first. */
export function nodeModulesAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return [join(folder, "node_modules"), ...(above === folder ? [] : nodeModulesAbove(above))];
}
