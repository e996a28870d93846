import {
  formatIdentity,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";

export const dependsOnAnnotation = "config.kubernetes.io/depends-on";

/**
 * Reads `group/kind/name` and `group/namespaces/namespace/kind/name`, comma-separated. Returns what is
 * wrong as text.
 */
export function readDependsOn(object: KubernetesObject): {
  readonly value: readonly ObjectIdentity[];
  readonly problems: readonly string[];
} {
  const text = object.metadata.annotations?.[dependsOnAnnotation];
  if (text === undefined || text.trim() === "") return { value: [], problems: [] };
  const value: ObjectIdentity[] = [];
  const problems: string[] = [];
  for (const word of text.split(",").map((each) => each.trim())) {
    const reference = parseReference(word);
    if (reference === undefined) {
      problems.push(
        `${JSON.stringify(word)} is neither group/kind/name nor group/namespaces/namespace/kind/name`,
      );
    } else if (sameObject(reference, identityOf(object))) {
      problems.push(`${formatIdentity(reference)} depends on itself`);
    } else {
      value.push(reference);
    }
  }
  return { value, problems };
}

function parseReference(word: string): ObjectIdentity | undefined {
  const parts = word.split("/");
  if (parts.length === 3) {
    const [group = "", kind = "", name = ""] = parts;
    return kind === "" || name === "" ? undefined : { group, kind, namespace: "", name };
  }
  if (parts.length === 5 && parts[1] === "namespaces") {
    const [group = "", , namespace = "", kind = "", name = ""] = parts;
    return namespace === "" || kind === "" || name === ""
      ? undefined
      : { group, kind, namespace, name };
  }
  return undefined;
}

function sameObject(left: ObjectIdentity, right: ObjectIdentity): boolean {
  return (
    left.group === right.group &&
    left.kind === right.kind &&
    left.namespace === right.namespace &&
    left.name === right.name
  );
}
