import type { KubernetesObject } from "../../objects/index.ts";
import type { ResourceDescription, Schema } from "../../schema/index.ts";

/** One resource of one version, as requests address it. */
export interface ServedResource extends ResourceDescription {
  readonly listKind: string;
  /** The table of the store that all versions share, such as `apps/deployments`. */
  readonly storageKey: string;
  /** The version in which objects are stored. */
  readonly storageVersion: string;
  readonly schema: Schema | undefined;
  /** Present where a CustomResourceDefinition describes the resource. */
  readonly custom?: CustomResource;
}

/** What a CustomResourceDefinition says of one of its versions. */
export interface CustomResource {
  readonly definition: KubernetesObject;
  readonly statusSubresource: boolean;
  readonly scale?: ScalePaths;
  readonly columns: readonly PrinterColumn[];
  readonly selectableFields: readonly string[];
  readonly deprecationWarning?: string;
}

/** Where a custom resource keeps what its `scale` subresource shows. */
export interface ScalePaths {
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
  readonly jsonPath: string;
}
