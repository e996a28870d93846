/** What the path of a request asks for. */
export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
  /** What follows the subresource, as in `/proxy/a/b`. */
  readonly rest: string;
}

const namespaceSubresources = new Set(["status", "finalize"]);

/**
 * Splits `/apis/apps/v1/namespaces/web/deployments/api/scale` into its parts; undefined for what is
 * not the path of a resource.
 */
export function parseResourcePath(path: string): ResourcePath | undefined {
  const words = path.split("/").slice(1).map(decode);
  const [prefix, ...rest] = words;
  if (prefix === "api") {
    const [version, ...resource] = rest;
    return version === undefined ? undefined : parseResource("", version, resource);
  }
  if (prefix === "apis") {
    const [group, version, ...resource] = rest;
    if (group === undefined || version === undefined) return undefined;
    return parseResource(group, version, resource);
  }
  return undefined;
}

function parseResource(
  group: string,
  version: string,
  words: readonly string[],
): ResourcePath | undefined {
  const [first, second, third] = words;
  if (first === undefined || first === "") return undefined;
  const isNamespaced =
    first === "namespaces" &&
    second !== undefined &&
    third !== undefined &&
    !(words.length === 3 && group === "" && namespaceSubresources.has(third));
  const [resource = "", name = "", subresource = "", ...rest] = isNamespaced
    ? words.slice(2)
    : words;
  if (resource === "") return undefined;
  const namespace = isNamespaced ? (second ?? "") : "";
  return { group, version, resource, namespace, name, subresource, rest: rest.join("/") };
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
