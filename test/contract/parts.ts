/** Desired state as the contract speaks of it; each way in writes it in its own language. */
import type { JsonObject } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";

/** One object, and what it has to do with the others. */
export interface Part {
  /** The name of the object, and of the resource, step or component that brings it. */
  readonly name: string;
  readonly object: KubernetesObject;
  /** Parts that must be ready first. */
  readonly after?: readonly string[];
  /** A field that is filled in when another part is ready. */
  readonly takes?: Taken;
  /** Fields whose changes are not applied. */
  readonly ignores?: readonly string[];
}

export interface Taken {
  readonly from: string;
  /** Where the value is in the other object: `status.host`. */
  readonly path: string;
  /** Where it goes: a text field of this object, `data.url`. */
  readonly into: string;
}

type Annotations = Readonly<Record<string, string>>;

export const protect: Annotations = { "keelson.dev/protect": "true" };
export const keep: Annotations = { "cli-utils.sigs.k8s.io/on-remove": "keep" };
export const detach: Annotations = { "client.lifecycle.config.k8s.io/deletion": "detach" };
export const recreate: Annotations = { "keelson.dev/on-immutable": "recreate" };
export const ready: Annotations = { "keelson.dev/ready-when": "self.status.phase == 'Up'" };

export function dependsOn(reference: string): Annotations {
  return { "config.kubernetes.io/depends-on": reference };
}

export function map(
  name: string,
  data: Readonly<Record<string, string>> = { v: "1" },
  annotations: Annotations = {},
): Part {
  return part(name, { apiVersion: "v1", kind: "ConfigMap", data }, annotations);
}

/** A ConfigMap whose data can never be changed. */
export function fixedMap(
  name: string,
  data: Readonly<Record<string, string>>,
  annotations: Annotations = {},
): Part {
  return part(name, { apiVersion: "v1", kind: "ConfigMap", immutable: true, data }, annotations);
}

/** A Secret whose data can never be changed, so that a server has a reason to refuse one. */
export function fixedSecret(name: string, data: Readonly<Record<string, string>>): Part {
  const encoded = Object.entries(data).map(([key, value]) => [key, base64(value)] as const);
  return part(name, {
    apiVersion: "v1",
    kind: "Secret",
    immutable: true,
    data: Object.fromEntries(encoded),
  });
}

export function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

export const contractGroup = "contract.keelson.dev";

/** Kinds that are ready when their status says so: by a path, by CEL, and by a rule of one object. */
export type Judged = "Gauge" | "Dial" | "Meter";

export function judged(kind: Judged, name: string): Part {
  const annotations = kind === "Meter" ? ready : {};
  return part(name, { apiVersion: `${contractGroup}/v1`, kind, spec: { size: 1 } }, annotations);
}

export const judgedDefinitions: readonly KubernetesObject[] = [
  definition("Gauge", {
    "keelson.dev/CrReadyWhenFieldPath": "status.phase",
    "keelson.dev/CrReadyWhenFieldValue": "Up",
  }),
  definition("Dial", ready),
  definition("Meter", {}),
];

function definition(kind: Judged, annotations: Annotations): KubernetesObject {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { type: "object", "x-kubernetes-preserve-unknown-fields": true };
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${contractGroup}`, annotations },
    spec: {
      group: contractGroup,
      scope: "Namespaced",
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: schema } }],
    },
  };
}

export function deployment(name: string, trouble?: string): Part {
  const annotations =
    trouble === undefined ? {} : { annotations: { "sandbox.keelson.dev/trouble": trouble } };
  return part(name, {
    apiVersion: "apps/v1",
    kind: "Deployment",
    spec: {
      selector: { matchLabels: { app: name } },
      template: {
        metadata: { labels: { app: name }, ...annotations },
        spec: { containers: [{ name: "main", image: "web:1" }] },
      },
    },
  });
}

export function namespaced(name: string, namespace: string): Part {
  const { object } = map(name);
  return { name, object: { ...object, metadata: { ...object.metadata, namespace } } };
}

export function namespacePart(name: string): Part {
  return part(name, { apiVersion: "v1", kind: "Namespace" });
}

function part(
  name: string,
  object: JsonObject & { readonly apiVersion: string; readonly kind: string },
  annotations: Annotations = {},
): Part {
  const metadata = Object.keys(annotations).length === 0 ? { name } : { name, annotations };
  return { name, object: { ...object, metadata } };
}
