import { timestamp } from "../../clock.ts";
import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { CompleteResponse } from "../request.ts";
import { notFoundStatus } from "../status.ts";
import { at, listAt, recordAt } from "../tables/read-fields.ts";
import { updateObject } from "../update.ts";
import { answer } from "./answers.ts";
import { readChange } from "./read-change.ts";

/** Approves or denies a request for a certificate: only its conditions change. */
export function writeApproval(context: ApiContext, request: ResourceRequest): CompleteResponse {
  const { resource, path } = request;
  const stored = context.store.get(resource.storageKey, path.namespace, path.name);
  if (stored === undefined) throw notFoundStatus(resource, path.name);
  if (request.request.method === "GET") return answer(200, stored.object);
  const change = readChange(context, request);
  const warnings: string[] = [];
  // The store takes a status through the path of the status only.
  const asStatus = { ...request, path: { ...path, subresource: "status" } };
  const updated = updateObject(context, asStatus, (live) => {
    const changed = change(live);
    warnings.push(...changed.warnings);
    const now = timestamp(context.clock.now());
    const conditions = listAt(changed.object, "status.conditions").map((each) => ({
      ...(each as object),
      lastUpdateTime: at(each, "lastUpdateTime") ?? now,
      lastTransitionTime: at(each, "lastTransitionTime") ?? now,
    }));
    return {
      ...changed.object,
      spec: live["spec"],
      status: { ...recordAt(live, "status"), conditions },
    };
  });
  return answer(200, updated, warnings);
}
