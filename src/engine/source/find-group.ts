import { checkGroup, chooseGroup, type GroupReference, idOfGroup } from "../../inventory/index.ts";
import type { EngineHost } from "../host.ts";
import { groupsOfInput } from "./groups-of-input.ts";
import { readKptfile } from "./load-package.ts";
import { projectGroup } from "./load-project.ts";
import { readProject } from "./project.ts";
import type { Source } from "./read-source.ts";

/** An inventory by its name. */
export interface InventoryChoice {
  readonly name: string;
  /** The namespace of the inventory itself; that of the objects unless given. */
  readonly namespace?: string | undefined;
  /** What objects carry as their owner; made of name and namespace unless given. */
  readonly id?: string | undefined;
}

/** The inventory that is asked for, else the one that the input names, else that of its project. */
export async function findGroup(
  host: EngineHost,
  input: string,
  source: Source,
  {
    inventory,
    namespace,
    env,
  }: {
    readonly inventory?: InventoryChoice | undefined;
    readonly namespace: string;
    readonly env?: string | undefined;
  },
): Promise<GroupReference> {
  if (inventory !== undefined) {
    const { name, namespace: place = namespace, id = idOfGroup(name, place) } = inventory;
    return checkGroup({ name, namespace: place, id, source: "the options" });
  }
  const { own: groups } = groupsOfInput(source.objects);
  const kptfile = input === "-" ? undefined : await readKptfile(host.pathOf(input));
  if (groups.length > 0 || kptfile !== undefined)
    return chooseGroup({ groups, kptfile, fromStream: input === "-" });
  return projectGroup(await readProject(host, input, env), namespace);
}
