/**
 * What a person may try who may only create Bundles, against a controller that may do everything. Each
 * attack says what the account of the bundle may do, and what the bundle must come to.
 */
import { readObjectsFromText } from "../../src/objects/index.ts";
import { bundle } from "./bundle-scenarios.ts";
import type { Rights } from "./rights-objects.ts";

/** Stands in the Secrets of others, and must never be found anywhere else. */
export const secretValue = "eyJvictim-secret-value";

export interface BundleAttack {
  readonly name: string;
  /** What the account of the bundle may do in its namespace. */
  readonly rights: readonly Rights[];
  /** What is there before, made by an administrator. */
  readonly before?: string;
  readonly bundle: string;
  /** The resource that must not come to be, and what its status says. */
  readonly refused: readonly [resource: string, message: RegExp];
  /** Objects that must not be there in the end, as `apiVersion Kind name`. */
  readonly absent?: readonly string[];
  /** Objects that must be as they were. */
  readonly untouched?: readonly string[];
}

const write = ["create", "patch", "delete"];
const core = (resources: readonly string[], verbs: readonly string[]): Rights => ({
  apiGroups: [""],
  resources,
  verbs,
});
const rbacGroup = "rbac.authorization.k8s.io";
const kindsGroup = "attacks.example.com";
export const configMaps = core(["configmaps"], ["get", ...write]);
export const blindSecrets = core(["secrets"], write);

const victim = `
apiVersion: v1
kind: Secret
metadata: { name: victim }
stringData: { token: ${secretValue} }
`;

/** A kind of which anything may be said: some name a Secret. */
export const attackDefinitions = readObjectsFromText(
  "definitions.yaml",
  `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: pointers.${kindsGroup}
  annotations:
    smith.atlassian.com/CrReadyWhenExistsKind: PointerBinding
    smith.atlassian.com/CrReadyWhenExistsVersion: ${kindsGroup}/v1
    smith.atlassian.com/CrOutputNameField: spec.output
spec:
  group: ${kindsGroup}
  scope: Namespaced
  names: { kind: Pointer, plural: pointers, singular: pointer, listKind: PointerList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: { name: pointerbindings.${kindsGroup} }
spec:
  group: ${kindsGroup}
  scope: Namespaced
  names: { kind: PointerBinding, plural: pointerbindings, singular: pointerbinding, listKind: PointerBindingList }
  versions:
    - name: v1
      served: true
      storage: true
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
`,
).objects.map(({ object }) => object);
const pointers: Rights = { apiGroups: [kindsGroup], resources: ["*"], verbs: ["get", ...write] };

/** The Secret that Kubernetes fills with a token of the account. */
export function tokenSecret(annotations = ""): string {
  return `
  - name: token
    spec:
      object:
        apiVersion: v1
        kind: Secret
        type: kubernetes.io/service-account-token
        metadata:
          name: token
          annotations: { kubernetes.io/service-account.name: admin${annotations} }`;
}

/** A ConfigMap with something of another resource in one of its fields. */
export function thief(
  reference: string,
  field = 'data: { stolen: "!{value}" }',
  metadata = "",
): string {
  return `
  - name: thief
    references: [{ name: value, ${reference} }]
    spec:
      object:
        apiVersion: v1
        kind: ConfigMap
        metadata: { name: thief${metadata} }
        ${field}`;
}

const adminBinding = `
  - name: rights
    spec:
      object:
        apiVersion: ${rbacGroup}/v1
        kind: RoleBinding
        metadata: { name: rights }
        roleRef: { apiGroup: ${rbacGroup}, kind: ClusterRole, name: cluster-admin }
        subjects: [{ kind: ServiceAccount, name: author }]`;

const ofToken = "resource: token, path: data.token";

export const bundleAttacks: readonly BundleAttack[] = [
  {
    name: "a ConfigMap, with an account that may do nothing",
    rights: [],
    bundle: bundle("attack", thief("resource: token, path: metadata.name"), tokenSecret()),
    refused: ["token", /system:serviceaccount:\S+:a\d+.*cannot patch resource .?secrets/],
    absent: ["v1 Secret token", "v1 ConfigMap thief"],
  },
  {
    name: "a token of another account, in a ConfigMap",
    rights: [configMaps, blindSecrets],
    bundle: bundle("attack", tokenSecret(), thief(ofToken)),
    refused: ["thief", /service account a\d+ may not get Secret token/],
    absent: ["v1 ConfigMap thief"],
  },
  {
    name: "a token of another account, in an annotation",
    rights: [configMaps, blindSecrets],
    bundle: bundle(
      "attack",
      tokenSecret(),
      thief(ofToken, "data: {}", ', annotations: { stolen: "it is !{value}" }'),
    ),
    refused: ["thief", /may not get Secret token/],
    absent: ["v1 ConfigMap thief"],
  },
  {
    name: "a token of another account, as the whole Secret",
    rights: [configMaps, blindSecrets],
    bundle: bundle("attack", tokenSecret(), thief("resource: token, path: data")),
    refused: ["thief", /may not get Secret token/],
    absent: ["v1 ConfigMap thief"],
  },
  {
    name: "a token of another account, with the right to read some other Secret",
    rights: [
      configMaps,
      blindSecrets,
      { ...core(["secrets"], ["get"]), resourceNames: ["something-else"] },
    ],
    bundle: bundle("attack", tokenSecret(), thief(ofToken)),
    refused: ["thief", /may not get Secret token/],
    absent: ["v1 ConfigMap thief"],
  },
  {
    name: "a token of another account, through a second Secret",
    rights: [configMaps, blindSecrets],
    bundle: bundle(
      "attack",
      tokenSecret(),
      `
  - name: copy
    references: [{ name: value, ${ofToken} }]
    spec:
      object: { apiVersion: v1, kind: Secret, metadata: { name: copy }, data: { stolen: "!{value}" } }`,
      thief("resource: copy, path: data.stolen"),
    ),
    refused: ["copy", /may not get Secret token/],
    absent: ["v1 ConfigMap thief", "v1 Secret copy"],
  },
  {
    name: "a token of another account, in words of a readiness rule",
    rights: [blindSecrets],
    bundle: bundle(
      "attack",
      tokenSecret(
        ", keelson.dev/ready-when: \"has(self.data.token) && {'a': 1}[self.data.token] == 1\"",
      ),
    ),
    refused: ["token", /waits for has|no such key/],
  },
  {
    name: "a token of another account, guessed by a readiness rule",
    rights: [configMaps, blindSecrets],
    bundle: bundle(
      "attack",
      tokenSecret(", keelson.dev/ready-when: \"self.data.token.startsWith('ZXlK')\""),
      `
  - name: after
    dependsOn: [token]
    spec: { object: { apiVersion: v1, kind: ConfigMap, metadata: { name: guessed } } }`,
    ),
    refused: ["token", /waits for self\.data\.token\.startsWith/],
    absent: ["v1 ConfigMap guessed"],
  },
  {
    name: "a Secret of somebody else, by an object that names it",
    rights: [configMaps, pointers],
    before: victim,
    bundle: bundle(
      "attack",
      pointer("spec: { secretName: victim }", "keelson.dev/ready-when: 'true'"),
      thief("resource: pointer, path: data.token, modifier: bindsecret"),
    ),
    refused: ["thief", /may not get Secret victim/],
    absent: ["v1 ConfigMap thief"],
    untouched: ["v1 Secret victim"],
  },
  {
    name: "whether a Secret exists, by an object that names it",
    rights: [configMaps, pointers],
    bundle: bundle(
      "attack",
      pointer("spec: { secretName: maybe }", "keelson.dev/ready-when: 'true'"),
      thief("resource: pointer, path: data.token, modifier: bindsecret"),
    ),
    refused: ["thief", /may not get Secret maybe/],
  },
  {
    name: "a finalizer on a Secret of somebody else, by a forged binding",
    rights: [configMaps, pointers, core(["secrets"], ["get"])],
    before: victim,
    bundle: bundle(
      "attack",
      pointer("spec: {}", "keelson.dev/ready-when: 'true'"),
      `
  - name: binding
    dependsOn: [pointer]
    spec:
      object:
        apiVersion: ${kindsGroup}/v1
        kind: PointerBinding
        metadata: { name: binding }
        spec: { output: victim }`,
      thief("resource: pointer, modifier: output").replace(
        "    spec:",
        "    dependsOn: [binding]\n    spec:",
      ),
    ),
    refused: ["thief", /cannot patch resource .?secrets/],
    absent: ["v1 ConfigMap thief"],
    untouched: ["v1 Secret victim"],
  },
  {
    name: "the contents of an object that somebody else made",
    rights: [configMaps, core(["secrets"], ["get", ...write])],
    before: victim,
    bundle: bundle(
      "attack",
      `
  - name: taken
    spec: { object: { apiVersion: v1, kind: Secret, metadata: { name: victim } } }`,
      thief("resource: taken, path: data.token"),
    ),
    refused: ["taken", /Secret victim exists and is controlled by nobody, not by this bundle/],
    absent: ["v1 ConfigMap thief"],
    untouched: ["v1 Secret victim"],
  },
  {
    name: "an object of somebody else that the account may not read",
    rights: [configMaps, blindSecrets],
    before: victim,
    bundle: bundle(
      "attack",
      `
  - name: taken
    spec: { object: { apiVersion: v1, kind: Secret, metadata: { name: victim } } }`,
    ),
    refused: ["taken", /Secret victim exists/],
    untouched: ["v1 Secret victim"],
  },
  {
    name: "rights, by a RoleBinding to cluster-admin",
    rights: [configMaps],
    bundle: bundle("attack", adminBinding),
    refused: ["rights", /rolebindings/],
    absent: [`${rbacGroup}/v1 RoleBinding rights`],
  },
  {
    name: "rights, by a RoleBinding of an account that may write RoleBindings",
    rights: [{ apiGroups: [rbacGroup], resources: ["rolebindings"], verbs: ["get", ...write] }],
    bundle: bundle("attack", adminBinding),
    refused: ["rights", /attempting to grant RBAC permissions not currently held/],
    absent: [`${rbacGroup}/v1 RoleBinding rights`],
  },
  {
    name: "an object of another namespace",
    rights: [configMaps],
    bundle: bundle(
      "attack",
      thief("resource: thief, path: metadata.name", "data: {}", ", namespace: kube-system"),
    ),
    refused: ["", /is in the namespace "kube-system"/],
  },
  {
    name: "an object of no namespace",
    rights: [{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }],
    bundle: bundle(
      "attack",
      `
  - name: cluster-wide
    spec: { object: { apiVersion: v1, kind: Namespace, metadata: { name: made-by-attack } } }`,
    ),
    refused: ["cluster-wide", /a bundle can have only those that are/],
  },
  {
    name: "whether an object of another namespace exists",
    rights: [configMaps],
    bundle: bundle(
      "attack",
      `
  - name: curious
    spec:
      object:
        apiVersion: v1
        kind: ConfigMap
        metadata:
          name: curious
          annotations: { config.kubernetes.io/depends-on: /namespaces/kube-system/Secret/maybe }`,
    ),
    refused: ["curious", /cannot be read/],
    absent: ["v1 ConfigMap curious"],
  },
  {
    name: "a value of a Secret, in the words with which a write is refused",
    rights: [
      core(["secrets"], ["get", ...write]),
      { apiGroups: ["apps"], resources: ["deployments"], verbs: write },
    ],
    bundle: bundle(
      "attack",
      tokenSecret(),
      `
  - name: loud
    references: [{ name: value, ${ofToken} }]
    spec:
      object:
        apiVersion: apps/v1
        kind: Deployment
        metadata: { name: loud }
        spec:
          selector: { matchLabels: { a: "-!{value}" } }
          template:
            metadata: { labels: { a: "-!{value}" } }
            spec: { containers: [{ name: web, image: "web:1" }] }`,
    ),
    refused: ["loud", /\*\*\*/],
    absent: ["apps/v1 Deployment loud"],
  },
  {
    name: "an account that is not there",
    rights: [configMaps],
    bundle: bundle(
      "attack",
      `
  - name: nobody
    spec: { object: { apiVersion: v1, kind: ConfigMap, metadata: { name: nobody } } }`,
    ).replace("spec:", "spec:\n  serviceAccountName: nobody"),
    refused: ["nobody", /service account nobody does not exist/],
    absent: ["v1 ConfigMap nobody"],
  },
];

function pointer(spec: string, annotation: string): string {
  return `
  - name: pointer
    spec:
      object:
        apiVersion: ${kindsGroup}/v1
        kind: Pointer
        metadata: { name: pointer, annotations: { "${annotation.replace(": ", '": ')} } }
        ${spec}`;
}
