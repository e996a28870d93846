/** One permission: what may be done to which resources, or to which other paths. */
export interface PolicyRule {
  readonly verbs: readonly string[];
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** What somebody wants to do to a resource, or to a path that is not a resource's. */
export type AccessTarget =
  | {
      readonly kind: "resource";
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      /** Empty for the whole cluster. */
      readonly namespace: string;
      /** Empty for all names. */
      readonly name: string;
    }
  | { readonly kind: "path"; readonly verb: string; readonly path: string };

export function ruleAllows(rule: PolicyRule, target: AccessTarget): boolean {
  if (!includes(rule.verbs, target.verb)) return false;
  if (target.kind === "path") {
    return (rule.nonResourceURLs ?? []).some((pattern) => matchesPath(pattern, target.path));
  }
  return (
    includes(rule.apiGroups ?? [], target.group) &&
    matchesResource(rule.resources ?? [], target) &&
    ((rule.resourceNames ?? []).length === 0 || rule.resourceNames?.includes(target.name) === true)
  );
}

export function matchesPath(pattern: string, path: string): boolean {
  if (pattern === "*" || pattern === path) return true;
  return pattern.endsWith("*") && path.startsWith(pattern.replace(/\*+$/, ""));
}

export function matchesResource(
  patterns: readonly string[],
  { resource, subresource }: { readonly resource: string; readonly subresource: string },
): boolean {
  const whole = subresource === "" ? resource : `${resource}/${subresource}`;
  return patterns.some(
    (pattern) =>
      pattern === "*" ||
      pattern === whole ||
      (subresource !== "" && pattern === `*/${subresource}`),
  );
}

function includes(values: readonly string[], wanted: string): boolean {
  return values.includes("*") || values.includes(wanted);
}
