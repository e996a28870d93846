import type { ClusterView, KindView } from "../../cluster/index.ts";
import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { contentsSuffix } from "../../resources/index.ts";

export type ConfigKind = "Secret" | "ConfigMap";

/**
 * Secrets and ConfigMaps as far as a controller must know them: that they are there, who holds them,
 * and a digest of what they contain. Their values are never kept.
 */
export class ConfigContents {
  readonly #handles: Readonly<Record<ConfigKind, KindView>>;

  constructor(
    informers: ClusterView,
    namespace: string | undefined,
    onChange: (kind: ConfigKind, object: KubernetesObject) => void,
  ) {
    const use = (kind: ConfigKind): KindView => {
      const handle = informers.use({ apiVersion: "v1", kind }, { depth: withDigest, namespace });
      handle.subscribe(({ object }) => {
        onChange(kind, object);
      });
      return handle;
    };
    this.#handles = { Secret: use("Secret"), ConfigMap: use("ConfigMap") };
  }

  async synced(): Promise<void> {
    await Promise.all([this.of("Secret").synced, this.of("ConfigMap").synced]);
  }

  of(kind: ConfigKind): KindView {
    return this.#handles[kind];
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
