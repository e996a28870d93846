/** The query parameters of operations, with what they do in one sentence. */
const texts: Readonly<Record<string, readonly [type: string, description: string]>> = {
  allowWatchBookmarks: ["boolean", "Asks a watch for events of type BOOKMARK."],
  continue: ["string", "Where the next page of a list begins, as the page before it said."],
  dryRun: ["string", "All: the request is carried out but nothing is stored."],
  fieldManager: ["string", "The name under which the changed fields are owned."],
  fieldSelector: ["string", "Restricts the objects by their fields."],
  fieldValidation: ["string", "What happens to unknown fields: Ignore, Warn or Strict."],
  force: ["boolean", "Takes over fields that others own; for apply only."],
  gracePeriodSeconds: ["integer", "How long the object has to end."],
  labelSelector: ["string", "Restricts the objects by their labels."],
  limit: ["integer", "The most objects that a page of the list may have."],
  orphanDependents: ["boolean", "Deprecated: use propagationPolicy."],
  propagationPolicy: ["string", "What happens to dependents: Orphan, Background or Foreground."],
  resourceVersion: ["string", "The version from which on, or at which, objects are served."],
  resourceVersionMatch: ["string", "How resourceVersion is meant: Exact or NotOlderThan."],
  sendInitialEvents: ["boolean", "A watch begins with the objects that are there."],
  timeoutSeconds: ["integer", "How long a list or watch may take."],
  watch: ["boolean", "Streams changes instead of listing."],
};

const listing = [
  "allowWatchBookmarks",
  "continue",
  "fieldSelector",
  "labelSelector",
  "limit",
  "resourceVersion",
  "resourceVersionMatch",
  "sendInitialEvents",
  "timeoutSeconds",
  "watch",
];
const deleting = ["dryRun", "gracePeriodSeconds", "orphanDependents", "propagationPolicy"];
const writing = ["dryRun", "fieldManager", "fieldValidation"];
const byVerb: Readonly<Record<string, readonly string[]>> = {
  list: listing,
  get: ["resourceVersion"],
  create: writing,
  update: writing,
  patch: [...writing, "force"],
  delete: deleting,
  deletecollection: [...new Set([...listing, ...deleting])].sort(),
};

/** The query parameters of a verb. */
export function parametersOf(verb: string): readonly unknown[] {
  return (byVerb[verb] ?? []).map((name) => {
    const [type = "string", description = ""] = texts[name] ?? [];
    return { name, in: "query", description, schema: { type, uniqueItems: true } };
  });
}

export function pathParameter(name: string, description: string): unknown {
  return {
    name,
    in: "path",
    description,
    required: true,
    schema: { type: "string", uniqueItems: true },
  };
}
