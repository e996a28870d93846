import type { JsonObject, KubernetesObject } from "../../objects/index.ts";
import { contentsSuffix } from "../../resources/index.ts";
import type { SharedInformer } from "../runtime/shared-informer.ts";
import type { InformerHandle, SharedInformers } from "../runtime/shared-informers.ts";

export type ConfigKind = "Secret" | "ConfigMap";

/**
 * Secrets and ConfigMaps as far as a controller must know them: that they are there, who holds them,
 * and a digest of what they contain. Their values are never kept.
 */
export class ConfigContents {
  readonly #handles: Readonly<Record<ConfigKind, InformerHandle>>;

  constructor(
    informers: SharedInformers,
    namespace: string | undefined,
    onChange: (kind: ConfigKind, object: KubernetesObject) => void,
  ) {
    const use = (kind: ConfigKind): InformerHandle => {
      const handle = informers.use({ apiVersion: "v1", kind }, "contents", {
        keep: withDigest,
        namespace,
      });
      handle.informer.subscribe(({ object }) => {
        onChange(kind, object);
      });
      return handle;
    };
    this.#handles = { Secret: use("Secret"), ConfigMap: use("ConfigMap") };
  }

  async synced(): Promise<void> {
    await Promise.all([this.of("Secret").synced, this.of("ConfigMap").synced]);
  }

  of(kind: ConfigKind): SharedInformer {
    return this.#handles[kind].informer;
  }

  get(kind: ConfigKind, namespace: string, name: string): KubernetesObject | undefined {
    return this.of(kind).get({ group: "", kind, namespace, name });
  }

  digestOf(kind: ConfigKind, namespace: string, name: string): string | undefined {
    const digest = this.get(kind, namespace, name)?.["digest"];
    return typeof digest === "string" ? digest : undefined;
  }
}

function withDigest(object: KubernetesObject): KubernetesObject {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace, uid, resourceVersion, finalizers, deletionTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      ...(name === undefined ? {} : { name }),
      ...(namespace === undefined ? {} : { namespace }),
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(finalizers === undefined ? {} : { finalizers }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
    },
    // Short on purpose: it ends in pod templates, and must not let anybody guess at a value.
    digest: contentsSuffix(object as unknown as JsonObject),
  };
}
