import { parseImageReference } from "../assembly/index.ts";
import { type BuildDefinition } from "./build-definition.ts";
import { buildOrder, type OrderedBuild } from "./build-order.ts";
import { imageDigest } from "./image-digest.ts";

/** Where images are pushed to instead of where their names say. */
export interface Registry {
  readonly host: string;
  /** The same registry as the cluster calls it. */
  readonly hostFromCluster?: string | undefined;
  /** One repository for all images; their names become part of the tags. */
  readonly singleName?: string | undefined;
}

/** An image that is going to be built, with what it will be called. */
export interface PlannedImage {
  readonly build: BuildDefinition;
  readonly bases: readonly string[];
  /** What the builder calls each of the bases. */
  readonly baseReferences: ReadonlyMap<string, string>;
  readonly digest: string;
  /** What the builder calls it. */
  readonly reference: string;
  /** What the cluster calls it: the one that goes into the objects. */
  readonly clusterReference: string;
}

/** Names every image after what goes into it, without building any. */
export async function planImages(
  builds: readonly OrderedBuild[],
  registry?: Registry,
): Promise<readonly PlannedImage[]> {
  const planned: PlannedImage[] = [];
  const references = new Map<string, string>();
  for (const { build, bases } of buildOrder(builds)) {
    const known = new Map(
      bases.flatMap((base): readonly (readonly [string, string])[] => {
        const reference = references.get(base);
        return reference === undefined ? [] : [[base, reference]];
      }),
    );
    const digest = await imageDigest(build, known);
    const tag = `keelson-${digest}`;
    const reference = referenceIn(registry?.host, registry, build.reference, tag);
    const inCluster = registry?.hostFromCluster ?? registry?.host;
    references.set(build.reference, reference);
    planned.push({
      build,
      bases,
      baseReferences: known,
      digest,
      reference,
      clusterReference: referenceIn(inCluster, registry, build.reference, tag),
    });
  }
  return planned;
}

function referenceIn(
  host: string | undefined,
  registry: Registry | undefined,
  declared: string,
  tag: string,
): string {
  const name = nameOf(declared);
  if (host === undefined || host === "") return `${name}:${tag}`;
  const flat = name.replaceAll(/[^A-Za-z0-9_.-]/g, "_");
  return registry?.singleName === undefined || registry.singleName === ""
    ? `${host}/${flat.toLowerCase()}:${tag}`
    : `${host}/${registry.singleName}:${flat}-${tag}`;
}

/** The repository as it was declared, without a tag. */
function nameOf(declared: string): string {
  const tag = parseImageReference(declared)?.tag;
  return tag === undefined ? declared : declared.slice(0, -(tag.length + 1));
}
