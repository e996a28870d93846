import { type JsonValue, equalValues } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import { rulesIn } from "../api/authorization/authorizer.ts";
import type { PolicyRule } from "../api/authorization/policy-rule.ts";
import type { Controller } from "./controller.ts";
import { InternalClient } from "./internal-client.ts";
import { type ObjectSelector, selects } from "../api/object-selector.ts";

const clusterRoles = "rbac.authorization.k8s.io/clusterroles";

interface AggregationRule {
  readonly clusterRoleSelectors?: readonly ObjectSelector[];
}

/** Keeps the rules of roles that are made of others. */
export function roleAggregationController(context: ApiContext): Controller {
  const client = new InternalClient(context, "clusterrole-aggregation-controller");
  const { store } = context;

  const sync = (role: KubernetesObject, selectors: readonly ObjectSelector[]): void => {
    const rules: PolicyRule[] = [];
    for (const { object, name } of store.list(clusterRoles)) {
      if (name === role.metadata.name) continue;
      const labels = object.metadata.labels ?? {};
      if (!selectors.some((selector) => selects(selector, labels))) continue;
      for (const rule of rulesIn(object)) {
        if (!rules.some((each) => same(each, rule))) rules.push(rule);
      }
    }
    if (same(rulesIn(role), rules)) return;
    client.update(clusterRoles, "", role.metadata.name ?? "", (live) => ({ ...live, rules }));
  };

  return {
    name: "role-aggregation",
    watches: [clusterRoles],
    keysOf: ({ resource }) => {
      if (resource !== clusterRoles) return [];
      return store.list(clusterRoles).filter(({ object }) => selectorsOf(object).length > 0);
    },
    reconcile: ({ name }) => {
      const role = store.get(clusterRoles, "", name)?.object;
      if (role !== undefined && selectorsOf(role).length > 0) sync(role, selectorsOf(role));
      return undefined;
    },
  };
}

function selectorsOf(role: KubernetesObject): readonly ObjectSelector[] {
  return (role["aggregationRule"] as AggregationRule | undefined)?.clusterRoleSelectors ?? [];
}

function same(left: unknown, right: unknown): boolean {
  return equalValues(left as JsonValue, right as JsonValue);
}
