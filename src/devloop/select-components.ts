import { uncategorizedName } from "../assembly/index.ts";
import { fail, nearest } from "../diagnostics/index.ts";
import type { DesiredComponents } from "./dev-source.ts";

/** The names of the components to run: those that were chosen and all that they wait for. */
export function selectComponents(
  { components, whole }: DesiredComponents,
  only: readonly string[],
): ReadonlySet<string> {
  const byName = new Map(components.map(({ component }) => [component.name, component]));
  if (only.length === 0) return new Set(byName.keys());
  if (whole !== undefined)
    fail({
      code: "devloop.whole-program",
      summary: "components cannot be chosen here: this source is applied as a whole",
      hint: "leave the names of components out",
    });
  const selected = new Set(only);
  // The set grows while it is walked: what a component waits for runs with it.
  for (const name of selected) {
    const component = byName.get(name);
    if (component === undefined) {
      const near = nearest(name, [...byName.keys()]);
      fail({
        code: "devloop.unknown-component",
        summary: `there is no component ${JSON.stringify(name)}`,
        detail: `There are: ${[...byName.keys()].join(", ")}`,
        ...(near === undefined ? {} : { hint: `did you mean ${near}?` }),
      });
    }
    for (const needed of component.dependsOn) selected.add(needed);
  }
  if (byName.has(uncategorizedName)) selected.add(uncategorizedName);
  return selected;
}
