import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { CompleteResponse } from "../request.ts";
import { notFoundStatus } from "../status.ts";
import { at, listAt, textIn } from "../tables/read-fields.ts";
import { updateObject } from "../update.ts";
import { answer } from "./answers.ts";
import { readChange } from "./read-change.ts";

/** The parts of a pod that may change while it runs: debug containers, and resources. */
export function writePodPart(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const stored = context.store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) throw notFoundStatus(resource, path.name);
  if (request.request.method === "GET") return answer(200, stored.object);
  const change = readChange(context, request);
  const warnings: string[] = [];
  const updated = updateObject(context, request, (live) => {
    const changed = change(live);
    warnings.push(...changed.warnings);
    const spec =
      path.subresource === "resize"
        ? resized(live, changed.object)
        : debugged(live, changed.object);
    const { managedFields, resourceVersion } = changed.object.metadata;
    const metadata = {
      ...live.metadata,
      ...(managedFields === undefined ? {} : { managedFields }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    return { ...live, metadata, spec };
  });
  return answer(200, updated, warnings);
}

function debugged(live: KubernetesObject, changed: KubernetesObject): object {
  const ephemeralContainers = at(changed, "spec.ephemeralContainers");
  return {
    ...(live["spec"] as object),
    ...(ephemeralContainers === undefined ? {} : { ephemeralContainers }),
  };
}

function resized(live: KubernetesObject, changed: KubernetesObject): object {
  const wanted = new Map(
    listAt(changed, "spec.containers").map((each) => [textIn(each, "name"), each]),
  );
  const containers = listAt(live, "spec.containers").map((each) => {
    const part = wanted.get(textIn(each, "name"));
    const resources = at(part, "resources");
    const resizePolicy = at(part, "resizePolicy");
    return {
      ...(each as object),
      ...(resources === undefined ? {} : { resources }),
      ...(resizePolicy === undefined ? {} : { resizePolicy }),
    };
  });
  return { ...(live["spec"] as object), containers };
}
