import type { GroupMetadata } from "./group-metadata.ts";
import { inventoryIdLabel } from "./group-names.ts";

/** The text of a resourcegroup.yaml; without an id it carries no labels. */
export function groupFileText(group: {
  readonly name: string;
  readonly namespace: string;
  readonly id?: string | undefined;
  readonly metadata?: GroupMetadata | undefined;
}): string {
  const own = group.id === undefined ? {} : { [inventoryIdLabel]: group.id };
  const labels = textsIn("labels", { ...own, ...group.metadata?.labels });
  const annotations = textsIn("annotations", group.metadata?.annotations ?? {});
  return `apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: ${quoted(group.name)}\n  namespace: ${quoted(group.namespace)}\n${labels}${annotations}`;
}

function textsIn(field: string, texts: Readonly<Record<string, string>>): string {
  const lines = Object.entries(texts).map(([key, text]) => `    ${key}: ${quoted(text)}\n`);
  return lines.length === 0 ? "" : `  ${field}:\n${lines.join("")}`;
}

/** A name of digits only would be read as a number. */
function quoted(text: string): string {
  return /^[a-z][-a-z0-9.]*$/.test(text) &&
    !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].includes(text)
    ? text
    : JSON.stringify(text);
}
