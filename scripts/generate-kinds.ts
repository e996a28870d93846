/**
 * Writes src/resources/k8s/types.ts and kinds.ts: the types and the classes of the built-in kinds,
 * from src/schema/data/. Run by hand when those change: `node scripts/generate-kinds.ts`.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { builtinTypesText, namedKinds } from "./builtin-types.ts";
import { root, run } from "./run.ts";

const folder = join(root, "src/resources/k8s");
const origin = "Written by scripts/generate-kinds.ts.";

writeFileSync(
  join(folder, "types.ts"),
  `/** The types of the built-in kinds. ${origin} */\n\n${builtinTypesText()}\n`,
);
writeFileSync(join(folder, "kinds.ts"), kindsText());
process.exitCode = await run("oxfmt", [join(folder, "types.ts"), join(folder, "kinds.ts")]);

function kindsText(): string {
  const classes = namedKinds().map(
    ({ kind, apiVersion, type }) =>
      `export type ${kind} = KubernetesResource<types.${type}>;\n` +
      `export const ${kind}: KubernetesClass<types.${type}> = namedClass("${apiVersion}", "${kind}");\n`,
  );
  return [
    `/** The classes of the built-in kinds. ${origin} */`,
    'import type { KubernetesClass, KubernetesResource } from "./kubernetes-class.ts";',
    'import { namedClass } from "./named-class.ts";',
    'import type * as types from "./types.ts";',
    "",
    ...classes,
  ].join("\n");
}
