import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { CompleteResponse } from "../request.ts";
import { at, listAt } from "../tables/read-fields.ts";
import { updateObject } from "../update.ts";
import { answer } from "./answers.ts";
import { readChange } from "./read-change.ts";

/** Takes finalizers off a namespace; one that is being deleted and has none left is gone. */
export function finalizeNamespace(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const change = readChange(context, request);
  const updated = updateObject(context, request, (live) => {
    const { object } = change(live);
    return { ...object, spec: at(object, "spec") ?? {} };
  });
  const isLeft = listAt(updated, "spec.finalizers").length > 0;
  const isMarked = updated.metadata.deletionTimestamp !== undefined;
  if (isMarked && !isLeft && (updated.metadata.finalizers ?? []).length === 0) {
    context.store.delete(resource.storageKey, "", path.name);
  }
  return answer(200, updated);
}
