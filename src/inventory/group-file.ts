import { inventoryIdLabel } from "./group-names.ts";

/** The text of a resourcegroup.yaml; without an id it carries no labels. */
export function groupFileText(group: {
  readonly name: string;
  readonly namespace: string;
  readonly id?: string | undefined;
}): string {
  const labels =
    group.id === undefined ? "" : `  labels:\n    ${inventoryIdLabel}: ${quoted(group.id)}\n`;
  return `apiVersion: kpt.dev/v1alpha1\nkind: ResourceGroup\nmetadata:\n  name: ${quoted(group.name)}\n  namespace: ${quoted(group.namespace)}\n${labels}`;
}

/** A name of digits only would be read as a number. */
function quoted(text: string): string {
  return /^[a-z][-a-z0-9.]*$/.test(text) &&
    !["true", "false", "yes", "no", "on", "off", "null", "y", "n"].includes(text)
    ? text
    : JSON.stringify(text);
}
