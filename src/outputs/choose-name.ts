import { randomBytes } from "node:crypto";
import type { KubernetesObject } from "../objects/index.ts";
import { contentsHash, type OutputContents } from "./output-contents.ts";
import type { OutputNaming } from "./output-naming.ts";
import { outputName } from "./output-object.ts";

/**
 * The name that an output is to have now. A random one stays as long as there is an output that holds
 * the same: one that was written before a crash is found again, and the one that is named already wins.
 */
export function chooseName(
  naming: Extract<OutputNaming, { readonly kind: "naming" }>,
  claim: KubernetesObject,
  contents: OutputContents,
  fitting: readonly KubernetesObject[],
  named: string | undefined,
  random: () => string = randomText,
): string {
  switch (naming.mode) {
    case "Fixed":
      return naming.name;
    case "ContentsHash":
      return outputName(claim, contentsHash(contents));
    case "Random": {
      const names = fitting.map(({ metadata }) => metadata.name ?? "").sort();
      const known = names.find((name) => name === named) ?? names[0];
      return known ?? outputName(claim, random());
    }
  }
}

function randomText(): string {
  return randomBytes(8).toString("hex");
}
