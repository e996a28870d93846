import type { KubernetesObject } from "../../objects/index.ts";
import type { StatusError } from "../api/status.ts";
import { controllerReference } from "./adopt.ts";
import type { PodSpec, PodTemplate } from "./pod-types.ts";
import { type Runtime, pods } from "./runtime.ts";

export interface PodWish {
  readonly owner: KubernetesObject;
  readonly template: PodTemplate;
  /** A name, or else the owner's name is the beginning of a generated one. */
  readonly name?: string;
  readonly generateName?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly spec?: PodSpec;
}

/** Creates a pod from a template for its owner; a refusal is handed back. */
export function createPod(
  { client }: Runtime,
  wish: PodWish,
): { readonly object: KubernetesObject } | { readonly refused: StatusError } {
  return client.tryCreate(pods, podOf(wish));
}

export function podOf(wish: PodWish): KubernetesObject {
  const { owner, template } = wish;
  const { namespace = "", name: ownerName = "" } = owner.metadata;
  const labels = { ...template.metadata?.labels, ...wish.labels };
  const annotations = { ...template.metadata?.annotations, ...wish.annotations };
  const { finalizers } = template.metadata ?? {};
  const held = [
    ...((finalizers as readonly string[] | undefined) ?? []),
    ...(wish.finalizers ?? []),
  ];
  return {
    kind: "Pod",
    apiVersion: "v1",
    metadata: {
      ...(wish.name === undefined ? {} : { name: wish.name }),
      generateName: wish.generateName ?? `${ownerName}-`,
      namespace,
      ...(Object.keys(labels).length === 0 ? {} : { labels }),
      ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
      ...(held.length === 0 ? {} : { finalizers: held }),
      ownerReferences: [controllerReference(owner)],
    },
    spec: wish.spec ?? template.spec,
  };
}
