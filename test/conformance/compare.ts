/** Prints where the sandbox answers otherwise than recorded: `npm run conformance:compare [group…]`. */
import { createSandbox } from "../../src/sandbox/index.ts";
import { conformanceCases } from "./cases/index.ts";
import { readRecorded } from "./recorded.ts";
import { runCase } from "./run-case.ts";
import { connectTarget } from "./target.ts";

const wanted = process.argv.slice(2);
const sandbox = await createSandbox();
const target = connectTarget(sandbox.kubeconfig);
const counts = { same: 0, different: 0 };

for (const [group, cases] of Object.entries(conformanceCases)) {
  if (wanted.length > 0 && !wanted.includes(group)) continue;
  const recorded = readRecorded(group);
  for (const [index, each] of cases.entries()) {
    const expected = recorded[each.name] ?? [];
    const results = await runCase(target, each, `${group.replaceAll(/[^a-z]/g, "")}${index}`).catch(
      (error: unknown) => String(error),
    );
    const differences =
      typeof results === "string"
        ? [results]
        : results.flatMap((result, step) =>
            differing(result, expected[step], `${step} ${result.request}`),
          );
    if (differences.length === 0) counts.same++;
    else {
      counts.different++;
      console.log(`\n## ${group}: ${each.name}\n${differences.slice(0, 12).join("\n")}`);
    }
  }
}
console.log(`\n${counts.same} same, ${counts.different} different`);
target.close();
await sandbox.close();

function differing(found: unknown, expected: unknown, path: string): readonly string[] {
  if (JSON.stringify(found) === JSON.stringify(expected)) return [];
  if (!isObject(found) || !isObject(expected)) {
    return [
      `${path}:\n    real    ${JSON.stringify(expected)}\n    sandbox ${JSON.stringify(found)}`,
    ];
  }
  const keys = new Set([...Object.keys(found), ...Object.keys(expected)]);
  return [...keys].flatMap((key) => differing(found[key], expected[key], `${path} ${key}`));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
