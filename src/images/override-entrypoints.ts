import { type Component, type ComponentImage, type GivenObject } from "../assembly/index.ts";
import { isJsonObject, withFieldAt } from "../json/index.ts";
import { identityKey, identityOf, type KubernetesObject } from "../objects/index.ts";
import type { BuildDefinition } from "./build-definition.ts";

/** Objects whose containers run what their image's declaration says instead of what the image says. */
export function overrideEntrypoints(
  objects: readonly GivenObject[],
  { images }: Pick<Component, "images">,
  builds: readonly BuildDefinition[],
): readonly GivenObject[] {
  const byReference = new Map(builds.map((build) => [build.reference, build]));
  const overridden = images.filter(({ build }) => {
    const found = byReference.get(build ?? "");
    return found?.entrypoint !== undefined || found?.containerArgs !== undefined;
  });
  if (overridden.length === 0) return objects;
  return objects.map((given) => {
    const key = identityKey(identityOf(given.object));
    const uses = overridden.filter((use) => identityKey(use.object) === key);
    const object = uses.reduce(
      (current, use) => overrideOne(current, use, byReference.get(use.build ?? "")),
      given.object,
    );
    return object === given.object ? given : { ...given, object };
  });
}

function overrideOne(
  object: KubernetesObject,
  { path }: ComponentImage,
  build: BuildDefinition | undefined,
): KubernetesObject {
  if (build === undefined || path.at(-1) !== "image") return object;
  const fields = {
    ...(build.entrypoint === undefined ? {} : { command: [...build.entrypoint] }),
    ...(build.containerArgs === undefined ? {} : { args: [...build.containerArgs] }),
  };
  return withFieldAt(object, path.slice(0, -1), (container) =>
    isJsonObject(container) ? { ...container, ...fields } : container,
  ) as KubernetesObject;
}
