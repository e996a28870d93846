import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from "../../json/index.ts";
import type { KubernetesObject, ObjectScope } from "../../objects/index.ts";
import { waitsForAnnotation } from "../../plan/index.ts";
import type { Template } from "../model/template.ts";
import type { ServiceAccount } from "../realize/realization.ts";
import { digestOf } from "./digest.ts";
import { accountAnnotation, digestAnnotation } from "./stamp-labels.ts";

export interface Stamped {
  readonly object: KubernetesObject;
  /** The fingerprint of what was asked for, which the object carries as an annotation. */
  readonly digest: string;
}

export type StampResult =
  | ({ readonly kind: "stamped" } & Stamped)
  | { readonly kind: "problem"; readonly message: string };

export interface StampInput {
  /** What the template gave. */
  readonly body: JsonValue;
  readonly owner: KubernetesObject;
  readonly lifecycle: Template["lifecycle"];
  readonly labels: Readonly<Record<string, string>>;
  /** Whose rights it is written with, and one day deleted. */
  readonly account: ServiceAccount;
  /** The steps that its own one takes values of: those go after it. */
  readonly waitsFor?: readonly string[] | undefined;
  readonly scopeOf: (apiVersion: string, kind: string) => ObjectScope | undefined;
}

/** Makes the object that is to be in the cluster out of what a template gave. */
export function stampObject(input: StampInput): StampResult {
  const { body, owner, lifecycle, labels, account, waitsFor = [] } = input;
  const problem = bodyProblem(input);
  if (problem !== undefined) return { kind: "problem", message: problem };
  const { apiVersion, kind, metadata, ...rest } = body as JsonObject & KubernetesObject;
  const { generateName, name: plainName, namespace: _namespace, ...kept } = metadata;
  // A run is known by what went into it, for whom: whoever asks again gets the same name.
  const content = digestOf({ owner: owner.metadata.uid ?? "", body });
  const name = lifecycle === "mutable" ? plainName : `${generateName ?? ""}${content.slice(0, 10)}`;
  const complete: KubernetesObject = {
    apiVersion,
    kind,
    metadata: {
      name: name ?? "",
      namespace: owner.metadata.namespace ?? "",
      ...kept,
      labels: { ...metadata.labels, ...labels },
      annotations: {
        ...metadata.annotations,
        [accountAnnotation]: `${account.namespace}/${account.name}`,
        ...(waitsFor.length === 0 ? {} : { [waitsForAnnotation]: JSON.stringify(waitsFor) }),
      },
      ownerReferences: [
        {
          apiVersion: owner.apiVersion,
          kind: owner.kind,
          name: owner.metadata.name ?? "",
          uid: owner.metadata.uid ?? "",
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
    },
    ...rest,
  };
  const digest = `sha256:${lifecycle === "mutable" ? digestOf(complete) : content}`;
  return { kind: "stamped", object: withDigest(complete, digest), digest };
}

function withDigest(object: KubernetesObject, digest: string): KubernetesObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [digestAnnotation]: digest };
  return { ...object, metadata: { ...metadata, annotations } };
}

function bodyProblem({ body, owner, lifecycle, scopeOf }: StampInput): string | undefined {
  if (!isJsonObject(body)) return "the template gives no object";
  const { apiVersion, kind, metadata } = body;
  if (typeof apiVersion !== "string" || typeof kind !== "string")
    return "the template gives an object without apiVersion and kind";
  if (!isJsonObject(metadata)) return "the template gives an object without metadata";
  const { namespace, name, generateName } = metadata;
  if (namespace !== undefined && namespace !== owner.metadata.namespace)
    return `the template sets metadata.namespace to ${stringifyJson(namespace)}; objects are stamped into the namespace of their owner`;
  if (scopeOf(apiVersion, kind) === "cluster")
    return `${kind} belongs to no namespace, and so cannot belong to the ${owner.kind} that it is stamped for`;
  if (lifecycle === "mutable" && (typeof name !== "string" || name === ""))
    return "the template sets no metadata.name, which an object that is kept up to date needs";
  if (lifecycle !== "mutable" && (typeof generateName !== "string" || generateName === ""))
    return `the template sets no metadata.generateName, which the lifecycle ${lifecycle} needs: there is one object for every distinct content`;
  return undefined;
}
