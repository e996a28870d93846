/** A reference to an image, spelled out as Docker does: `nginx` is `docker.io/library/nginx`. */
export interface ImageReference {
  readonly repository: string;
  readonly tag?: string;
  readonly digest?: string;
}

const hub = "docker.io";
const domain = /^[a-zA-Z0-9.-]+(?::\d+)?$|^\[[0-9a-fA-F:]+\](?::\d+)?$/;
const segment = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tagText = /^\w[\w.-]{0,127}$/;
const digestText = /^[A-Za-z][\w+.-]*:[0-9a-fA-F]{32,}$/;
const longest = 4096;

/** Reads a reference; undefined when it is none. */
export function parseImageReference(text: string): ImageReference | undefined {
  if (text.length > longest) return undefined;
  const at = text.indexOf("@");
  const digest = at === -1 ? undefined : text.slice(at + 1);
  if (digest !== undefined && !digestText.test(digest)) return undefined;
  const named = at === -1 ? text : text.slice(0, at);
  const colon = named.indexOf(":", named.lastIndexOf("/") + 1);
  const tag = colon === -1 ? undefined : named.slice(colon + 1);
  if (tag !== undefined && !tagText.test(tag)) return undefined;
  const repository = spelledOut(colon === -1 ? named : named.slice(0, colon));
  if (repository === undefined) return undefined;
  return {
    repository,
    ...(tag === undefined ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

function spelledOut(name: string): string | undefined {
  const [first = "", ...rest] = name.split("/");
  const hasDomain =
    rest.length > 0 && (/[.:]/.test(first) || first === "localhost" || /[A-Z]/.test(first));
  const registry = hasDomain ? (first === "index.docker.io" ? hub : first) : hub;
  const path = hasDomain ? rest : [first, ...rest];
  if (!domain.test(registry) || !path.every((part) => segment.test(part))) return undefined;
  const official = registry === hub && path.length === 1 ? ["library"] : [];
  return [registry, ...official, ...path].join("/");
}
