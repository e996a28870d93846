import { shellWord } from "../diagnostics/index.ts";
import { type DevComponent, newComponent, redefine } from "./dev-component.ts";
import type { DevContext } from "./dev-context.ts";
import type { DesiredComponents, LoadedSource } from "./dev-source.ts";

export interface ComparedComponents {
  /** Components that are no longer part of the source. */
  readonly gone: readonly DevComponent[];
}

/** Brings what is remembered in line with what the source says now, and notes what wants an update. */
export function compareComponents(
  context: Pick<DevContext, "components" | "state">,
  loaded: LoadedSource,
  desired: DesiredComponents,
  selected: ReadonlySet<string>,
  files: readonly string[],
): ComparedComponents {
  const { components, state } = context;
  const before = new Map(components);
  components.clear();
  for (const each of desired.components) {
    const { name, kind, labels, triggerMode = "auto", dependsOn } = each.component;
    const known = before.get(name);
    const entry = known ?? newComponent(each);
    components.set(name, entry);
    const isChanged = redefine(entry, each, loaded, desired.images);
    state.put({ name, kind, labels, triggerMode, dependsOn });
    if (known === undefined) begin(context, entry, selected.has(name), before.size === 0);
    else if (isChanged && (known.pending !== undefined || hasBegun(context, known)))
      want(context, entry, files, "its definition changed");
  }
  const gone = [...before.values()].filter(({ name }) => !components.has(name));
  for (const { name } of gone) state.remove(name);
  return { gone };
}

function begin(
  { state }: Pick<DevContext, "state">,
  entry: DevComponent,
  isSelected: boolean,
  isFirst: boolean,
): void {
  entry.isSelected = isSelected;
  if (isSelected && entry.component.autoInit) {
    entry.pending = { kind: "initial", message: isFirst ? "it begins" : "it is new" };
    return;
  }
  const why = isSelected ? "auto_init is off" : "it was not chosen";
  state.update(
    entry.name,
    "none",
    "NotStarted",
    `${why}; \`keelson trigger ${shellWord(entry.name)}\``,
  );
}

/** A component is to be updated because of files. */
export function want(
  { state }: Pick<DevContext, "state">,
  entry: DevComponent,
  files: readonly string[],
  otherwise: string,
): void {
  for (const file of files) entry.changedFiles.add(file);
  state.changedFiles(entry.name, [...entry.changedFiles]);
  const [first] = files;
  const message = first === undefined ? otherwise : `${first} changed`;
  entry.pending ??= { kind: "change", message };
}

/** Whether it was ever updated, well or not, or is so now. */
export function hasBegun({ state }: Pick<DevContext, "state">, { name }: DevComponent): boolean {
  const known = state.component(name);
  return known?.lastUpdate !== undefined || known?.update.status === "in_progress";
}
