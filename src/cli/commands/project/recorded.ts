import type { Cluster } from "../../../cluster/index.ts";
import { fail } from "../../../diagnostics/index.ts";
import { nearest } from "../../../diagnostics/index.ts";
import {
  type GroupReference,
  knownInventory,
  resourceNameAnnotation,
} from "../../../inventory/index.ts";
import { formatIdentity, identityOf } from "../../../objects/index.ts";
import { observeLive, type RecordedResource, recordedResources } from "../../../observe/index.ts";

/** All that a project has, by name. */
export async function loadRecorded(
  cluster: Cluster,
  group: GroupReference,
): Promise<ReadonlyMap<string, RecordedResource>> {
  return recordedResources(cluster, await knownInventory(cluster, group));
}

/** All that a project owns: resources of a program by their names, other objects by what they are. */
export async function loadOwned(
  cluster: Cluster,
  group: GroupReference,
): Promise<ReadonlyMap<string, RecordedResource>> {
  const { parts } = await knownInventory(cluster, group);
  const { live } = await observeLive(
    cluster,
    parts.flatMap(({ entries }) => entries),
  );
  return new Map(
    [...live.values()].map((object) => {
      const identity = identityOf(object);
      const name =
        object.metadata.annotations?.[resourceNameAnnotation] ?? formatIdentity(identity);
      return [name, { name, identity, object }];
    }),
  );
}

/** The resource that somebody means: by its name, its id, or any end of its name that is unique. */
export function findRecorded(
  recorded: ReadonlyMap<string, RecordedResource>,
  text: string,
): RecordedResource {
  const exact = recorded.get(text);
  if (exact !== undefined) return exact;
  const ends = [...recorded.values()].filter(
    ({ name, identity }) =>
      name.endsWith(text.startsWith("#") ? text : `#${text}`) || identity.name === text,
  );
  const [only, ...others] = ends;
  if (only !== undefined && others.length === 0) return only;
  const near = nearest(text, [...recorded.keys()]);
  return fail({
    code: "program.unknown-resource",
    summary:
      only === undefined
        ? `there is no resource ${JSON.stringify(text)}`
        : `${JSON.stringify(text)} can mean ${ends.length} resources`,
    ...(only === undefined ? {} : { detail: ends.map(({ name }) => name).join("\n") }),
    hint: near === undefined ? "`keelson names` lists all resources" : `did you mean ${near}?`,
  });
}
