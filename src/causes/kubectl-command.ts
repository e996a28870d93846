import type { KubernetesObject } from "../objects/index.ts";

/** A command about an object, with its namespace where it has one. */
export function kubectlCommand(verb: string, object: KubernetesObject, rest = ""): string {
  const { namespace = "", name = "" } = object.metadata;
  const place = namespace === "" ? "" : ` -n ${namespace}`;
  return `kubectl ${verb}${place} ${object.kind.toLowerCase()}/${name}${rest === "" ? "" : ` ${rest}`}`;
}
