/** The name of the inventory of a project in an environment. */
export function inventoryName({
  project,
  env,
}: {
  readonly project: string;
  readonly env: string;
}): string {
  return `${groupName(project)}-${groupName(env)}`;
}

/** What the outputs of a project in an environment are kept in. */
export function outputsName(about: { readonly project: string; readonly env: string }): string {
  return `${inventoryName(about)}-outputs`;
}

/** Names of packages may hold a scope, names of environments a colon; those of objects may not. */
export function groupName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/^@/, "")
    .replaceAll(/[^a-z0-9.-]+/g, "-")
    .replace(/^[-.]+/, "");
  return name === "" ? "project" : name;
}
