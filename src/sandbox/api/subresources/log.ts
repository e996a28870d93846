import type { ApiContext, ResourceRequest } from "../api-context.ts";
import type { ApiResponse } from "../request.ts";
import { badRequest, notFound } from "../status.ts";
import { listAt, textAt } from "../tables/read-fields.ts";

/** The log of a container: what its simulation wrote. */
export function podLog(
  { store }: ApiContext,
  { request, path, resource }: ResourceRequest,
): ApiResponse {
  const pod = store.get(resource.storageKey, path.namespace, path.name)?.object;
  if (pod === undefined) throw notFound(resource, path.name);
  const names = ["initContainers", "containers", "ephemeralContainers"].flatMap((list) =>
    listAt(pod, `spec.${list}`).map((each) => textAt(each, "name")),
  );
  const asked = request.query.get("container") ?? "";
  if (asked === "" && names.length > 1) {
    const choices = names.join(" ");
    throw badRequest(
      `a container name must be specified for pod ${path.name}, choose one of: [${choices}]`,
    );
  }
  if (asked !== "" && !names.includes(asked)) {
    throw badRequest(`container ${asked} is not valid for pod ${path.name}`);
  }
  return { kind: "complete", status: 200, contentType: "text/plain", body: "" };
}
