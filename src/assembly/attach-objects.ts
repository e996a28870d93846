import type { AssemblyObject } from "./assembly-object.ts";
import type { ComponentDraft } from "./component-draft.ts";
import type { ObjectClaims } from "./object-claims.ts";
import { ObjectUsers } from "./object-users.ts";

/**
 * Puts every object into exactly one component: where a directive says, with the only workload that
 * uses it, or with what goes with no workload.
 */
export function attachObjects(
  objects: readonly AssemblyObject[],
  drafts: readonly ComponentDraft[],
  claims: ObjectClaims,
): ReadonlyMap<ComponentDraft, readonly AssemblyObject[]> {
  const ofWorkload = new Map<AssemblyObject, ComponentDraft>();
  for (const draft of drafts)
    if (draft.workload !== undefined) ofWorkload.set(draft.workload, draft);
  const uncategorized = drafts.find(({ kind }) => kind === "uncategorized");
  const users = new ObjectUsers([...ofWorkload.keys()], objects);
  const members = new Map<ComponentDraft, AssemblyObject[]>();
  for (const object of objects) {
    const user = ofWorkload.has(object) ? object : users.onlyUserOf(object);
    const natural = user === undefined ? uncategorized : ofWorkload.get(user);
    const draft = claims.draftOf(object) ?? natural;
    if (draft === undefined) continue;
    const there = members.get(draft);
    if (there === undefined) members.set(draft, [object]);
    else there.push(object);
  }
  return members;
}
