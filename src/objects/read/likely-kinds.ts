/** A kind that a text seems to hold several objects of. */
export interface LikelyKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Undefined where the objects seem to name none. */
  readonly namespace: string | undefined;
}

/**
 * Which kinds a text of YAML holds several objects of, at a glance: by lines that look like it, in the
 * way that tools write them. It may be wrong either way; who needs to know must parse.
 */
export function likelyKinds(text: string): readonly LikelyKind[] {
  const counts = new Map<string, { readonly likely: LikelyKind; count: number }>();
  let document: Partial<Record<"apiVersion" | "kind" | "namespace", string>> = {};
  const end = (): void => {
    const { apiVersion, kind, namespace } = document;
    document = {};
    if (apiVersion === undefined || kind === undefined) return;
    const key = `${apiVersion} ${kind} ${namespace ?? ""}`;
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { likely: { apiVersion, kind, namespace }, count: 1 });
    else known.count++;
  };
  for (const [line, apiVersion, kind, namespace] of text.matchAll(telling)) {
    if (line.startsWith("---")) end();
    else if (apiVersion !== undefined) document.apiVersion = apiVersion;
    else if (kind !== undefined) document.kind = kind;
    else if (namespace !== undefined) document.namespace ??= namespace;
  }
  end();
  return [...counts.values()].filter(({ count }) => count > 1).map(({ likely }) => likely);
}

const telling =
  /^(?:---|apiVersion: ([\w./-]+)[ \r]*$|kind: (\w+)[ \r]*$| {2,4}namespace: ([\w.-]+)[ \r]*$)/gm;
