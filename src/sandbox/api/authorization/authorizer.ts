import type { KubernetesObject } from "../../../objects/index.ts";
import type { Store } from "../../store/store.ts";
import type { User } from "../request.ts";
import { type AccessTarget, type PolicyRule, ruleAllows } from "./policy-rule.ts";

export interface AccessDecision {
  readonly allowed: boolean;
  /** By what it is allowed, or which role could not be found. */
  readonly reason: string;
}

/** A role that a binding gives to a subject. */
interface Grant {
  readonly rules: readonly PolicyRule[];
  readonly source: string;
  /** Why there are no rules. */
  readonly problem?: string;
}

interface Subject {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string;
}

interface RoleRef {
  readonly kind: string;
  readonly name: string;
}

type Grants = ReadonlyMap<string, readonly Grant[]>;

const group = "rbac.authorization.k8s.io";
const tables = {
  roles: `${group}/roles`,
  clusterRoles: `${group}/clusterroles`,
  bindings: `${group}/rolebindings`,
  clusterBindings: `${group}/clusterrolebindings`,
};
const watched = new Set<string>(Object.values(tables));
export const mastersGroup = "system:masters";

/**
 * Decides who may do what, by the roles and bindings in the store. What they grant is worked out by
 * subject once and forgotten when one of them changes, so that a decision looks at few rules.
 */
export class Authorizer {
  readonly #store: Store;
  readonly #byNamespace = new Map<string, Grants>();

  constructor(store: Store) {
    this.#store = store;
    store.subscribe(({ resource }) => {
      if (watched.has(resource)) this.#byNamespace.clear();
    });
  }

  authorize(user: User, target: AccessTarget): AccessDecision {
    if (user.groups.includes(mastersGroup)) return { allowed: true, reason: "" };
    const problems: string[] = [];
    const namespace = target.kind === "resource" ? target.namespace : "";
    for (const { rules, source, problem } of this.#grantsOf(user, namespace)) {
      if (problem !== undefined) problems.push(problem);
      if (rules.some((rule) => ruleAllows(rule, target))) {
        return { allowed: true, reason: `RBAC: allowed by ${source}` };
      }
    }
    const [first] = problems;
    const all = problems.length > 1 ? `[${problems.join(", ")}]` : first;
    return { allowed: false, reason: all === undefined ? "" : `RBAC: ${all}` };
  }

  /** Everything that a user may do in a namespace, and in the cluster. */
  rulesOf(user: User, namespace: string): readonly PolicyRule[] {
    return this.#grantsOf(user, namespace).flatMap(({ rules }) => rules);
  }

  /** The rules of a role that a binding of a namespace refers to; undefined when it is not there. */
  rulesOfRole({ kind, name }: RoleRef, namespace: string): readonly PolicyRule[] | undefined {
    const stored =
      kind === "ClusterRole"
        ? this.#store.get(tables.clusterRoles, "", name)
        : this.#store.get(tables.roles, namespace, name);
    return stored === undefined ? undefined : rulesIn(stored.object);
  }

  *#matching(user: User, grants: Grants): Generator<Grant> {
    yield* grants.get(subjectKey("User", user.name)) ?? [];
    for (const each of user.groups) yield* grants.get(subjectKey("Group", each)) ?? [];
  }

  #grantsOf(user: User, namespace: string): readonly Grant[] {
    const cluster = [...this.#matching(user, this.#grants(""))];
    if (namespace === "") return cluster;
    return [...cluster, ...this.#matching(user, this.#grants(namespace))];
  }

  #grants(namespace: string): Grants {
    const known = this.#byNamespace.get(namespace);
    if (known !== undefined) return known;
    const grants = new Map<string, Grant[]>();
    const bindings =
      namespace === ""
        ? this.#store.list(tables.clusterBindings)
        : this.#store.list(tables.bindings, namespace);
    for (const { object } of bindings) this.#addBinding(grants, object, namespace);
    this.#byNamespace.set(namespace, grants);
    return grants;
  }

  #addBinding(grants: Map<string, Grant[]>, binding: KubernetesObject, namespace: string): void {
    const roleRef = binding["roleRef"] as RoleRef;
    const rules = this.rulesOfRole(roleRef, namespace);
    const name = binding.metadata.name ?? "";
    const bound =
      namespace === ""
        ? `ClusterRoleBinding ${JSON.stringify(name)}`
        : `RoleBinding ${JSON.stringify(`${name}/${namespace}`)}`;
    for (const subject of (binding["subjects"] ?? []) as readonly Subject[]) {
      const grant: Grant = {
        rules: rules ?? [],
        source: `${bound} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describe(subject)}`,
        ...(rules === undefined
          ? { problem: `${roleRef.kind.toLowerCase()}.${group} "${roleRef.name}" not found` }
          : {}),
      };
      const key = keyOf(subject, namespace);
      const list = grants.get(key);
      if (list === undefined) grants.set(key, [grant]);
      else list.push(grant);
    }
  }
}

export function rulesIn(role: KubernetesObject): readonly PolicyRule[] {
  return (role["rules"] ?? []) as readonly PolicyRule[];
}

function keyOf({ kind, name, namespace }: Subject, bound: string): string {
  if (kind !== "ServiceAccount") return subjectKey(kind, name);
  return subjectKey("User", `system:serviceaccount:${namespace ?? bound}:${name}`);
}

function subjectKey(kind: string, name: string): string {
  return `${kind} ${name}`;
}

function describe({ kind, name, namespace }: Subject): string {
  const named = kind === "ServiceAccount" ? `${name}/${namespace ?? ""}` : name;
  return `${kind} ${JSON.stringify(named)}`;
}
