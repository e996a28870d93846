/** Two states of one package: something stays, changes, comes and goes, of every sort of dependency. */
const map = (name: string, value: string, namespace = "team"): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\ndata:\n  value: "${value}"\n---\n`;

const namespace = `apiVersion: v1\nkind: Namespace\nmetadata:\n  name: team\n---\n`;

const definition = (plural: string, kind: string): string =>
  `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: ${plural}.example.com\nspec:\n  group: example.com\n  scope: Namespaced\n  names:\n    kind: ${kind}\n    plural: ${plural}\n    singular: ${kind.toLowerCase()}\n    listKind: ${kind}List\n  versions:\n    - name: v1\n      served: true\n      storage: true\n      schema:\n        openAPIV3Schema:\n          type: object\n          x-kubernetes-preserve-unknown-fields: true\n---\n`;

const custom = (kind: string, name: string): string =>
  `apiVersion: example.com/v1\nkind: ${kind}\nmetadata:\n  name: ${name}\n  namespace: team\nspec:\n  size: 1\n---\n`;

const deployment = (name: string, image: string): string =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${name}\n  namespace: team\nspec:\n  selector:\n    matchLabels:\n      app: ${name}\n  template:\n    metadata:\n      labels:\n        app: ${name}\n    spec:\n      containers:\n        - name: main\n          image: ${image}\n---\n`;

const kept = `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: kept\n  namespace: default\n  annotations:\n    client.lifecycle.config.k8s.io/deletion: detach\n---\n`;

export const before =
  namespace +
  map("same", "1") +
  map("changed", "1") +
  map("leaving", "1") +
  kept +
  definition("widgets", "Widget") +
  custom("Widget", "first") +
  deployment("web", "web:1");

export const after =
  namespace +
  map("same", "1") +
  map("changed", "2") +
  map("new", "1") +
  definition("gadgets", "Gadget") +
  custom("Gadget", "second") +
  deployment("web", "web:2");

/** What is owned once the second state has been reached. */
export const afterKeys: readonly string[] = [
  "/ConfigMap/team/changed",
  "/ConfigMap/team/new",
  "/ConfigMap/team/same",
  "/Namespace//team",
  "apiextensions.k8s.io/CustomResourceDefinition//gadgets.example.com",
  "apps/Deployment/team/web",
  "example.com/Gadget/team/second",
];
