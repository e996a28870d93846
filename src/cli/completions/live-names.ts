import { resolve } from "node:path";
import type { CliContext } from "../context.ts";

/** Commands whose words are components. */
const ofComponents = new Set(["up", "ci", "trigger", "logs", "stats"]);

/**
 * Names that no command line has in itself: contexts of the kubeconfig, components of the dev loop that
 * runs for this project. Nothing is evaluated for them: who presses Tab has not asked to run a program.
 */
export async function liveNames(
  words: readonly string[],
  context: CliContext,
): Promise<readonly string[]> {
  const [begun = "", before] = [words.at(-1), words.at(-2)];
  const found = await namesFor(words, before, context).catch(() => []);
  return found.filter((name) => name.startsWith(begun));
}

async function namesFor(
  words: readonly string[],
  before: string | undefined,
  context: CliContext,
): Promise<readonly string[]> {
  if (before === "--context") return contextsOf(words, context);
  const [command = ""] = words;
  if (words.length < 2 || !ofComponents.has(command)) return [];
  const [
    { componentNames, controlFolder, findControl },
    { inventoryName, readProject },
    { hostOf },
  ] = await Promise.all([
    import("../../devloop/index.ts"),
    import("../../engine/index.ts"),
    import("../host-of.ts"),
  ]);
  const name = inventoryName(await readProject(hostOf(context), ".", undefined));
  const address = await findControl(controlFolder(context.process.env), name);
  return address === undefined ? [] : componentNames(address);
}

async function contextsOf(
  words: readonly string[],
  context: CliContext,
): Promise<readonly string[]> {
  const { contextNames } = await import("../../cluster/index.ts");
  const { env } = context.process;
  const file = words[words.indexOf("--kubeconfig") + 1];
  const kubeconfig =
    words.includes("--kubeconfig") && file !== undefined
      ? resolve(context.workingDirectory, file)
      : undefined;
  return contextNames({ kubeconfig, env, home: env["HOME"] ?? env["USERPROFILE"] ?? "" });
}
