import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { apps, configMap, core, deployment } from "./paths.ts";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const roles = `${rbac}/namespaces/{ns}/roles`;
const bindings = `${rbac}/namespaces/{ns}/rolebindings`;
const maps = `${core}/configmaps`;
const apiVersion = "rbac.authorization.k8s.io/v1";
const user = "user-{id}";
const as = (name = user, groups: readonly string[] = []): Partial<Step> => ({
  headers: {
    "Impersonate-User": name,
    ...(groups.length === 0 ? {} : { "Impersonate-Group": groups }),
  },
});
const answered: Partial<Step> = { keep: ["kind", "reason", "code", "message", "details"] };
const ask = (
  method: Step["method"],
  path: string,
  body?: unknown,
  rest: Partial<Step> = as(),
): Step => jsonStep(method, path, body, { ...answered, ...rest });

const rule = (verbs: string, resources: string, more: object = {}): object => ({
  apiGroups: [""],
  resources: resources.split(" "),
  verbs: verbs.split(" "),
  ...more,
});
const role = (rules: readonly object[], name = "r"): Step =>
  jsonStep(
    "POST",
    roles,
    { apiVersion, kind: "Role", metadata: { name }, rules },
    { prepare: true },
  );
const bind = (subject: object, roleRef: object = { kind: "Role", name: "r" }, name = "b"): Step =>
  jsonStep(
    "POST",
    bindings,
    {
      apiVersion,
      kind: "RoleBinding",
      metadata: { name },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", ...roleRef },
      subjects: [subject],
    },
    { prepare: true },
  );
const subjectUser = { kind: "User", apiGroup: "rbac.authorization.k8s.io", name: user };
const review = (attributes: object, rest: Partial<Step> = as()): Step =>
  jsonStep(
    "POST",
    "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews",
    { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview", spec: attributes },
    { keep: ["status", "code", "reason"], ...rest },
  );

/** A real server learns of roles and bindings a moment after they are written. */
const granted = (
  verb: string,
  resource: string,
  more: object = {},
  rest: Partial<Step> = as(),
): Step =>
  review(
    { resourceAttributes: { namespace: "{ns}", verb, resource, ...more } },
    { prepare: true, until: ["status.allowed", "true"], ...rest },
  );

/** Who may do what, seen by users that the administrator stands in for. */
export const rbacCases: readonly ConformanceCase[] = [
  {
    name: "nobody may do anything",
    steps: [
      ask("GET", maps),
      ask("GET", `${maps}/a`),
      ask("POST", maps, configMap("a")),
      ask("DELETE", maps),
      ask("GET", `${maps}?watch=true&timeoutSeconds=1`),
      ask("GET", "/api/v1/configmaps"),
      ask("GET", "/api/v1/nodes"),
      ask("GET", "/api/v1/namespaces/{ns}"),
      ask("GET", `${apps}/deployments`),
      ask("PATCH", `${apps}/deployments/d/scale`, { spec: { replicas: 1 } }),
      ask("GET", `${core}/pods/p/log`),
      ask("GET", "/apis/nothing.example.com/v1/things"),
    ],
  },
  {
    name: "everybody may ask what there is",
    steps: [
      ask("GET", "/api", undefined, { ...as(), keep: ["kind"] }),
      ask("GET", "/apis/apps/v1", undefined, { ...as(), keep: ["kind"] }),
      ask("GET", "/version", undefined, { ...as(), keep: ["major"] }),
      ask("GET", "/healthz", undefined, { ...as(), keep: [] }),
      ask("GET", "/metrics"),
      ask("POST", "/version", {}),
    ],
  },
  {
    name: "a role in a namespace",
    steps: [
      role([rule("get list", "configmaps")]),
      bind(subjectUser),
      granted("get", "configmaps"),
      ask("GET", maps, undefined, { ...as(), keep: ["kind"] }),
      ask("GET", `${maps}/none`),
      ask("POST", maps, configMap("a")),
      ask("GET", `${maps}?watch=true&timeoutSeconds=1`),
      ask("GET", "/api/v1/namespaces/default/configmaps"),
      ask("GET", "/api/v1/configmaps"),
    ],
  },
  {
    name: "a role for some names",
    steps: [
      role([rule("get delete watch list", "configmaps", { resourceNames: ["a"] })]),
      bind(subjectUser),
      granted("get", "configmaps", { name: "a" }),
      ask("GET", `${maps}/a`),
      ask("GET", `${maps}/b`),
      ask("GET", maps),
      ask("GET", `${maps}?fieldSelector=metadata.name%3Da`, undefined, { ...as(), keep: ["kind"] }),
      ask("GET", `${maps}?fieldSelector=metadata.name%3Db`),
      ask("DELETE", `${maps}/a`),
    ],
  },
  {
    name: "subresources are resources of their own",
    steps: [
      jsonStep("POST", `${apps}/deployments`, deployment("d"), { prepare: true }),
      role([
        { apiGroups: ["apps"], resources: ["deployments/scale"], verbs: ["get", "patch"] },
        { apiGroups: ["*"], resources: ["*/status"], verbs: ["get"] },
      ]),
      bind(subjectUser),
      granted("get", "deployments", { group: "apps", subresource: "scale" }),
      ask("GET", `${apps}/deployments/d/scale`, undefined, { ...as(), keep: ["kind"] }),
      ask("GET", `${apps}/deployments/d/status`, undefined, { ...as(), keep: ["kind"] }),
      ask("GET", `${apps}/deployments/d`),
      ask("PATCH", `${apps}/deployments/d/status`, {}),
    ],
  },
  {
    name: "groups and service accounts",
    steps: [
      role([rule("get", "configmaps")]),
      bind({ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "team-{id}" }),
      bind({ kind: "ServiceAccount", name: "default", namespace: "{ns}" }, undefined, "c"),
      granted("get", "configmaps", {}, as("x", ["team-{id}"])),
      granted("get", "configmaps", {}, as("system:serviceaccount:{ns}:default")),
      ask("GET", `${maps}/none`, undefined, as("x", ["team-{id}"])),
      ask("GET", `${maps}/none`, undefined, as("x", ["other"])),
      ask("GET", `${maps}/none`, undefined, as("system:serviceaccount:{ns}:default")),
      ask("GET", `${maps}/none`, undefined, as("system:serviceaccount:{ns}:other")),
    ],
  },
  {
    name: "a cluster role in a namespace",
    steps: [
      bind(subjectUser, { kind: "ClusterRole", name: "view" }),
      granted("get", "configmaps"),
      ask("GET", maps, undefined, { ...as(), keep: ["kind"] }),
      ask("GET", `${core}/secrets`),
      ask("POST", maps, configMap("a")),
      ask("GET", "/api/v1/namespaces/{ns}", undefined, { ...as(), keep: ["kind"] }),
      ask("GET", "/api/v1/namespaces"),
    ],
  },
  {
    name: "edit and admin",
    steps: [
      bind(subjectUser, { kind: "ClusterRole", name: "edit" }),
      granted("create", "configmaps"),
      ask("POST", maps, configMap("a"), { ...as(), keep: ["kind"] }),
      ask("GET", `${core}/secrets`, undefined, { ...as(), keep: ["kind"] }),
      ask("GET", roles),
      bind({ ...subjectUser, name: "admin-{id}" }, { kind: "ClusterRole", name: "admin" }, "c"),
      granted("get", "roles", { group: "rbac.authorization.k8s.io" }, as("admin-{id}")),
      ask("GET", roles, undefined, { ...as("admin-{id}"), keep: ["kind"] }),
      ask("DELETE", "/api/v1/namespaces/{ns}", undefined, as("admin-{id}")),
      ask("GET", `${core}/resourcequotas`, undefined, { ...as("admin-{id}"), keep: ["kind"] }),
      ask("POST", `${core}/resourcequotas`, {}, as("admin-{id}")),
    ],
  },
  {
    name: "a role that is not there",
    steps: [
      bind(subjectUser, { kind: "Role", name: "missing" }),
      review(
        { resourceAttributes: { namespace: "{ns}", verb: "get", resource: "configmaps" } },
        {
          ...as(),
          prepare: true,
          until: ["status.reason", 'RBAC: role.rbac.authorization.k8s.io "missing" not found'],
        },
      ),
      ask("GET", maps),
    ],
  },
  {
    name: "permissions change at once",
    steps: [
      role([rule("get", "configmaps")]),
      ask("GET", `${maps}/none`),
      bind(subjectUser),
      ask("GET", `${maps}/none`, undefined, { ...as(), until: ["reason", "NotFound"] }),
      jsonStep("PATCH", `${roles}/r`, { rules: [rule("list", "configmaps")] }, { prepare: true }),
      ask("GET", `${maps}/none`, undefined, { ...as(), until: ["reason", "Forbidden"] }),
      jsonStep("DELETE", `${bindings}/b`, undefined, { prepare: true }),
      ask("GET", maps, undefined, { ...as(), until: ["reason", "Forbidden"] }),
    ],
  },
  {
    name: "may I",
    steps: [
      role([rule("get", "configmaps", { resourceNames: ["a"] })]),
      bind(subjectUser),
      granted("get", "configmaps", { name: "a" }),
      review({
        resourceAttributes: { namespace: "{ns}", verb: "get", resource: "configmaps", name: "a" },
      }),
      review({
        resourceAttributes: { namespace: "{ns}", verb: "get", resource: "configmaps", name: "b" },
      }),
      review({ resourceAttributes: { namespace: "{ns}", verb: "get", resource: "configmaps" } }),
      review({ nonResourceAttributes: { path: "/openapi/v3", verb: "get" } }),
      review({ nonResourceAttributes: { path: "/metrics", verb: "get" } }),
      review({ resourceAttributes: { verb: "*", resource: "*", group: "*" } }, {}),
    ],
  },
  {
    name: "what may I",
    steps: [
      role([
        rule("get list", "configmaps secrets", { resourceNames: ["a"] }),
        rule("create", "pods"),
      ]),
      bind(subjectUser),
      jsonStep(
        "POST",
        "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews",
        {
          apiVersion: "authorization.k8s.io/v1",
          kind: "SelfSubjectRulesReview",
          spec: { namespace: "{ns}" },
        },
        { keep: ["status.incomplete", "kind"], ...as() },
      ),
    ],
  },
  {
    name: "may somebody",
    steps: [
      role([rule("get", "configmaps")]),
      bind({ kind: "Group", apiGroup: "rbac.authorization.k8s.io", name: "team-{id}" }),
      granted("get", "configmaps", {}, as("x", ["team-{id}"])),
      ...[{ user: "x", groups: ["team-{id}"] }, { user: "x" }, { groups: ["team-{id}"] }].map(
        (who) =>
          jsonStep(
            "POST",
            "/apis/authorization.k8s.io/v1/subjectaccessreviews",
            {
              apiVersion: "authorization.k8s.io/v1",
              kind: "SubjectAccessReview",
              spec: {
                ...who,
                resourceAttributes: { namespace: "{ns}", verb: "get", resource: "configmaps" },
              },
            },
            { keep: ["status", "code", "reason"] },
          ),
      ),
      ask("POST", "/apis/authorization.k8s.io/v1/subjectaccessreviews", {}),
    ],
  },
  {
    name: "who am I",
    steps: [
      as(),
      as("x", ["a", "b"]),
      as("system:serviceaccount:{ns}:default"),
      as("system:anonymous"),
    ].map((rest) =>
      jsonStep(
        "POST",
        "/apis/authentication.k8s.io/v1/selfsubjectreviews",
        { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" },
        { keep: ["status.userInfo", "code", "reason", "message"], ...rest },
      ),
    ),
  },
  {
    name: "standing in for others needs permission",
    steps: [
      role([rule("impersonate", "serviceaccounts", { resourceNames: ["default"] })]),
      bind({ kind: "ServiceAccount", name: "default", namespace: "{ns}" }),
      jsonStep(
        "POST",
        `${core}/serviceaccounts/default/token`,
        { spec: {} },
        { prepare: true, take: { token: "status.token" } },
      ),
      jsonStep("GET", maps, undefined, {
        keep: ["code", "reason"],
        headers: { authorization: "Bearer {token}", "Impersonate-User": "x" },
      }),
      jsonStep("GET", maps, undefined, {
        keep: ["code", "reason", "message"],
        headers: { authorization: "Bearer {token}" },
      }),
    ],
  },
  {
    name: "a token of a service account",
    steps: [
      role([rule("get", "configmaps")]),
      bind({ kind: "ServiceAccount", name: "default", namespace: "{ns}" }),
      jsonStep(
        "POST",
        `${core}/serviceaccounts/default/token`,
        { spec: {} },
        { prepare: true, take: { token: "status.token" } },
      ),
      granted("get", "configmaps", {}, as("system:serviceaccount:{ns}:default")),
      jsonStep("GET", `${maps}/none`, undefined, {
        ...answered,
        headers: { authorization: "Bearer {token}" },
      }),
      jsonStep("GET", `${core}/secrets`, undefined, {
        ...answered,
        headers: { authorization: "Bearer {token}" },
      }),
      jsonStep("GET", `${core}/secrets`, undefined, {
        ...answered,
        headers: { authorization: "Bearer nonsense" },
      }),
    ],
  },
  {
    name: "nobody grants what they do not have",
    steps: [
      role([
        rule("get list", "configmaps"),
        {
          apiGroups: ["rbac.authorization.k8s.io"],
          resources: ["roles", "rolebindings"],
          verbs: ["*"],
        },
      ]),
      bind(subjectUser),
      granted("create", "roles", { group: "rbac.authorization.k8s.io" }),
      granted("get", "configmaps"),
      jsonStep(
        "POST",
        roles,
        { apiVersion, kind: "Role", metadata: { name: "s" }, rules: [rule("get", "configmaps")] },
        { ...as(), keep: ["kind"] },
      ),
      jsonStep(
        "POST",
        roles,
        {
          apiVersion,
          kind: "Role",
          metadata: { name: "t" },
          rules: [rule("get delete", "configmaps")],
        },
        { ...answered, ...as() },
      ),
      jsonStep(
        "PATCH",
        `${roles}/s`,
        { rules: [rule("get", "secrets")] },
        { keep: ["code", "reason"], ...as() },
      ),
      jsonStep(
        "PATCH",
        `${roles}/s`,
        { metadata: { labels: { a: "b" } } },
        { keep: ["kind"], ...as() },
      ),
      jsonStep(
        "POST",
        bindings,
        {
          apiVersion,
          kind: "RoleBinding",
          metadata: { name: "x" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: "s" },
          subjects: [subjectUser],
        },
        { keep: ["kind"], ...as() },
      ),
      jsonStep(
        "POST",
        bindings,
        {
          apiVersion,
          kind: "RoleBinding",
          metadata: { name: "y" },
          roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "view" },
          subjects: [subjectUser],
        },
        { keep: ["code", "reason"], ...as() },
      ),
    ],
  },
  {
    name: "roles are made of others",
    steps: [
      jsonStep(
        "POST",
        `${rbac}/clusterroles`,
        {
          apiVersion,
          kind: "ClusterRole",
          metadata: { name: "whole-{id}" },
          rules: [],
          aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: "{id}" } }] },
        },
        { prepare: true },
      ),
      jsonStep(
        "POST",
        `${rbac}/clusterroles`,
        {
          apiVersion,
          kind: "ClusterRole",
          metadata: { name: "part1-{id}", labels: { part: "{id}" } },
          rules: [rule("get", "pods")],
        },
        { prepare: true },
      ),
      jsonStep(
        "POST",
        `${rbac}/clusterroles`,
        {
          apiVersion,
          kind: "ClusterRole",
          metadata: { name: "part2-{id}", labels: { part: "{id}" } },
          rules: [rule("list", "pods")],
        },
        { prepare: true },
      ),
      jsonStep("GET", `${rbac}/clusterroles/whole-{id}`, undefined, {
        until: ["rules.1.verbs.0", "list"],
        keep: ["rules"],
      }),
      jsonStep("DELETE", `${rbac}/clusterroles/part1-{id}`, undefined, { prepare: true }),
      jsonStep("GET", `${rbac}/clusterroles/whole-{id}`, undefined, {
        until: ["rules.0.verbs.0", "list"],
        keep: ["rules"],
      }),
      jsonStep("DELETE", `${rbac}/clusterroles/part2-{id}`, undefined, { prepare: true }),
      jsonStep("DELETE", `${rbac}/clusterroles/whole-{id}`, undefined, { prepare: true }),
    ],
  },
  {
    name: "the roles that every cluster has",
    steps: [
      "cluster-admin",
      "admin",
      "edit",
      "view",
      "system:discovery",
      "system:basic-user",
      "system:public-info-viewer",
      "system:auth-delegator",
    ].map((name) =>
      jsonStep("GET", `${rbac}/clusterroles/${name}`, undefined, {
        keep: ["rules", "aggregationRule", "metadata.labels", "metadata.annotations"],
      }),
    ),
  },
];
