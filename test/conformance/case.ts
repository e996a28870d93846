/**
 * One behaviour of the Kubernetes API as data. `{ns}` is a namespace of the case's own, `{id}` a word
 * that no other case uses, for names of cluster-scoped objects.
 */
export interface ConformanceCase {
  readonly name: string;
  readonly steps: readonly Step[];
  /** Why the test control plane cannot do this; then it runs on the sandbox only. */
  readonly sandboxOnly?: string;
}

/** One request, and how much of its answer counts. */
export interface Step {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "WATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
  readonly accept?: string;
  readonly userAgent?: string;
  /** Repeats the request until the answer's value at this path is equal, as text. */
  readonly until?: readonly [path: string, value: string];
  /** The parts of the answer that count, by dotted path (`*` for all items); all of it unless given. */
  readonly keep?: readonly string[];
  /** For WATCH: how many events to take. */
  readonly events?: number;
  /** The answer does not matter, only that it succeeded. */
  readonly prepare?: true;
  /** Remembers values of the answer, by dotted path; later steps write them as `{name}`. */
  readonly take?: Readonly<Record<string, string>>;
  /** For WATCH: what happens while it is open; the answers to these steps come first. */
  readonly during?: readonly Step[];
  /** Only whether it was refused counts, not by which status: the real server answers 500 here. */
  readonly statusClass?: true;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

export function jsonStep(
  method: Step["method"],
  path: string,
  body?: unknown,
  rest: Partial<Step> = {},
): Step {
  return { method, path, ...(body === undefined ? {} : { body }), ...rest };
}

/** A server-side apply by a manager. */
export function apply(
  path: string,
  manager: string,
  body: unknown,
  rest: Partial<Step> & { readonly force?: boolean } = {},
): Step {
  const { force, ...others } = rest;
  const separator = path.includes("?") ? "&" : "?";
  const query = `${separator}fieldManager=${manager}${force === true ? "&force=true" : ""}`;
  return {
    method: "PATCH",
    path: `${path}${query}`,
    contentType: "application/apply-patch+yaml",
    body,
    ...others,
  };
}
