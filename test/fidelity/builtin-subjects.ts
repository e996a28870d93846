import { builtinResources } from "../../src/schema/index.ts";
import { baseObjects } from "./base-objects.ts";
import type { OpenApi } from "./open-api.ts";
import { type Subject, collectionPath, namespace } from "./subject.ts";

/** The valid objects of the built-in kinds, with what the real server says about their fields. */
export function builtinSubjects(openApi: OpenApi): Promise<readonly Subject[]> {
  return Promise.all(
    baseObjects().map(async (object) => {
      const { apiVersion, kind, metadata } = object;
      const resource = resourceOf(apiVersion, kind);
      const own = resource.namespaced ? (metadata.namespace ?? namespace) : undefined;
      return {
        kind: resource.group === "" ? kind : `${kind}.${apiVersion}`,
        name: metadata.name ?? "",
        collection: collectionPath(apiVersion, resource.resource, own),
        schema: await openApi.kind(apiVersion, kind),
        object,
        isStored: resource.verbs.includes("update"),
      };
    }),
  );
}

function resourceOf(apiVersion: string, kind: string): ReturnType<typeof builtinResources>[number] {
  const found = builtinResources().find(
    (each) =>
      each.kind === kind &&
      (each.group === "" ? each.version : `${each.group}/${each.version}`) === apiVersion,
  );
  if (found === undefined) throw new Error(`no resource serves ${apiVersion} ${kind}`);
  return found;
}
