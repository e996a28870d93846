import { identityOf } from "../objects/index.ts";
import type { ObjectView } from "./dashboard-view.ts";
import type { WorldObject } from "./world.ts";

export function viewOfObject({
  key,
  object,
  verdict,
  otherOwner,
  isDeployed,
}: WorldObject): ObjectView {
  const { kind, namespace, name } = identityOf(object);
  const created = object.metadata.creationTimestamp ?? "";
  return {
    key,
    kind,
    namespace,
    name,
    created,
    ...verdict,
    ...(otherOwner === undefined ? {} : { otherOwner }),
    ...(isDeployed === true ? { isDeployed } : {}),
  };
}
