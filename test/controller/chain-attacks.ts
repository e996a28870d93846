/**
 * What a person may try who may only create Workloads, Deliverables and Runnables, against templates of a
 * platform that trust what they are given, and a controller that may do everything.
 */
import type { Rights } from "./rights-objects.ts";

export interface ChainAttack {
  readonly name: string;
  /** What the account of the owner may do in its namespace. */
  readonly rights: readonly Rights[];
  /** What is there before, made by an administrator. */
  readonly before?: string;
  /** The templates of the steps, in their order: each takes what the one before emits. */
  readonly templates: readonly ChainTemplate[];
  /** The parameters of the owner, as YAML. */
  readonly params?: Readonly<Record<string, string>>;
  /** What the status of the owner comes to say. */
  readonly says: RegExp;
  readonly absent?: readonly string[];
  readonly untouched?: readonly string[];
  /** What the ConfigMap `stamped` holds in the end, word for word. */
  readonly stamped?: Readonly<Record<string, string>>;
}

export interface ChainTemplate {
  readonly kind: "ClusterConfigTemplate" | "ClusterTemplate";
  readonly spec: string;
}

/** Stands in Secrets, and must never be found anywhere else. */
export const hiddenValue = "hunter2-of-the-platform";
const hiddenEncoded = Buffer.from(hiddenValue).toString("base64");

const write = ["get", "create", "patch", "delete"];
const core = (...resources: readonly string[]): Rights => ({
  apiGroups: [""],
  resources,
  verbs: write,
});

const template = (object: string): ChainTemplate => ({
  kind: "ClusterTemplate",
  spec: `template: ${object}`,
});

const secretStep: ChainTemplate = {
  kind: "ClusterConfigTemplate",
  spec: `configPath: .data.password
  template: { apiVersion: v1, kind: Secret, metadata: { name: hidden }, stringData: { password: ${hiddenValue} } }`,
};

export const chainAttacks: readonly ChainAttack[] = [
  {
    name: "a second reading of what a parameter says",
    rights: [core("configmaps")],
    templates: [
      template(
        `{ apiVersion: v1, kind: ConfigMap, metadata: { name: stamped }, data: { a: $(params.a)$, b: "-$(params.a)$-" } }`,
      ),
    ],
    params: { a: '"$(params.b)$ $($(params.b)$)$ {{.}} !{b} #@ 1 (@= 1 @)"', b: hiddenValue },
    says: /ResourceSubmissionComplete/,
    stamped: {
      a: "$(params.b)$ $($(params.b)$)$ {{.}} !{b} #@ 1 (@= 1 @)",
      b: "-$(params.b)$ $($(params.b)$)$ {{.}} !{b} #@ 1 (@= 1 @)-",
    },
  },
  {
    name: "an object of another namespace, by a parameter",
    rights: [core("configmaps")],
    templates: [
      template(
        `{ apiVersion: v1, kind: ConfigMap, metadata: { name: stamped, namespace: $(params.where)$ } }`,
      ),
    ],
    params: { where: "kube-system" },
    says: /sets metadata.namespace/,
    absent: ["v1 ConfigMap stamped"],
  },
  {
    name: "an object of another namespace, by a path for a name",
    rights: [core("configmaps")],
    templates: [
      template(`{ apiVersion: v1, kind: ConfigMap, metadata: { name: $(params.name)$ } }`),
    ],
    params: { name: '"../../kube-system/configmaps/stamped"' },
    says: /TemplateRejectedByAPIServer/,
  },
  {
    name: "an object of another namespace, by metadata as a whole",
    rights: [core("configmaps")],
    templates: [template(`{ apiVersion: v1, kind: ConfigMap, metadata: $(params.metadata)$ }`)],
    params: { metadata: "{ name: stamped, namespace: kube-system, ownerReferences: [] }" },
    says: /the template sets metadata.namespace to \\?"kube-system/,
    absent: ["v1 ConfigMap stamped"],
  },
  {
    name: "an object of no namespace, by a parameter",
    rights: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
    templates: [template(`{ apiVersion: v1, kind: $(params.kind)$, metadata: { name: stamped } }`)],
    params: { kind: "Namespace" },
    says: /belongs to no namespace/,
  },
  {
    name: "rights, by a template that stamps whatever it is given",
    rights: [core("configmaps")],
    templates: [
      template(
        `{ apiVersion: $(params.api)$, kind: $(params.kind)$, metadata: { name: rights }, roleRef: $(params.role)$, subjects: $(params.subjects)$ }`,
      ),
    ],
    params: {
      api: "rbac.authorization.k8s.io/v1",
      kind: "RoleBinding",
      role: "{ apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: cluster-admin }",
      subjects: "[{ kind: ServiceAccount, name: author }]",
    },
    says: /cannot patch resource.*rolebindings/,
    absent: ["rbac.authorization.k8s.io/v1 RoleBinding rights"],
  },
  {
    name: "an object of somebody else, which nobody owns",
    rights: [core("configmaps")],
    before:
      "apiVersion: v1\nkind: ConfigMap\nmetadata: { name: theirs }\ndata: { theirs: unchanged }\n",
    templates: [
      template(
        `{ apiVersion: v1, kind: ConfigMap, metadata: { name: $(params.name)$ }, data: { ours: "1" } }`,
      ),
    ],
    params: { name: "theirs" },
    says: /ConfigMap theirs exists and is controlled by nobody/,
    untouched: ["v1 ConfigMap theirs"],
  },
  {
    name: "an object of somebody else, which the account may not read",
    rights: [{ ...core("secrets"), verbs: ["create", "patch", "delete"] }],
    before: `apiVersion: v1\nkind: Secret\nmetadata: { name: theirs }\nstringData: { a: ${hiddenValue} }\n`,
    templates: [
      template(
        `{ apiVersion: v1, kind: Secret, metadata: { name: theirs }, stringData: { ours: "1" } }`,
      ),
    ],
    says: /Secret theirs exists/,
    untouched: ["v1 Secret theirs"],
  },
  {
    name: "a value of a Secret, in the words with which a write is refused",
    rights: [core("secrets", "configmaps")],
    templates: [
      secretStep,
      template(
        `{ apiVersion: v1, kind: ConfigMap, metadata: { name: stamped, labels: { a: "-$(config)$" } } }`,
      ),
    ],
    says: /TemplateRejectedByAPIServer.*\*\*\*/s,
    absent: ["v1 ConfigMap stamped"],
  },
  {
    name: "a value of a Secret, which the account may not read",
    rights: [core("configmaps"), { ...core("secrets"), verbs: ["create", "patch", "delete"] }],
    templates: [
      secretStep,
      template(
        `{ apiVersion: v1, kind: ConfigMap, metadata: { name: stamped }, data: { stolen: $(config)$ } }`,
      ),
    ],
    says: /service account a\d+ may not get Secret hidden/,
    absent: ["v1 ConfigMap stamped"],
  },
  {
    name: "a value of a Secret, in what a later step emits",
    rights: [core("secrets", "configmaps")],
    templates: [
      secretStep,
      {
        kind: "ClusterConfigTemplate",
        // What the platform puts into a ConfigMap is its own choice; the status need not repeat it.
        spec: `configPath: .data.of
  template: { apiVersion: v1, kind: ConfigMap, metadata: { name: second }, data: { of: "x $(config)$" } }`,
      },
    ],
    says: /"step-1".*"preview":"\*\*\*/s,
  },
];

/** What must not be found where people look: the value, and as Secrets hold it. */
export const hiddenTexts = [hiddenValue, hiddenEncoded];
