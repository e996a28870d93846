import type { KubernetesObject } from "../../objects/index.ts";
import { controllerReference } from "./adopt.ts";
import type { PodTemplate } from "./pod-types.ts";
import { type Runtime, controllerRevisions } from "./runtime.ts";
import { stableText, templateHash } from "./template-hash.ts";

export interface Revision extends KubernetesObject {
  readonly revision: number;
  readonly data?: { readonly spec?: { readonly template?: PodTemplate } };
}

interface RevisedOwner {
  readonly owner: KubernetesObject;
  readonly template: PodTemplate;
  /** The label that carries the hash. */
  readonly hashLabel: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** The revision of an owner's current template: found, brought to the top again, or made. */
export function currentRevision(
  runtime: Runtime,
  { owner, template, hashLabel, annotations }: RevisedOwner,
): Revision {
  const known = revisionsOf(runtime, owner);
  const text = stableText(template);
  const same = known.findLast((each) => stableText(templateOf(each)) === text);
  const highest = known.at(-1)?.revision ?? 0;
  if (same !== undefined)
    return same.revision === highest ? same : raise(runtime, same, highest + 1);
  const { namespace = "", name = "" } = owner.metadata;
  const hash = templateHash(template);
  const revision: Revision = {
    kind: "ControllerRevision",
    apiVersion: "apps/v1",
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: [controllerReference(owner)],
    },
    data: { spec: { template: { ...template, $patch: "replace" } as PodTemplate } },
    revision: highest + 1,
  };
  return (runtime.client.create(controllerRevisions, revision) as Revision | undefined) ?? revision;
}

/** The revisions of an owner, oldest first. */
export function revisionsOf(runtime: Runtime, owner: KubernetesObject): readonly Revision[] {
  const owned = runtime.ownedBy(controllerRevisions, owner) as readonly Revision[];
  return [...owned].sort((left, right) => left.revision - right.revision);
}

/** The template that a revision keeps. */
export function templateOf({ data }: Revision): PodTemplate {
  const { $patch: _patch, ...template } = (data?.spec?.template ?? {}) as PodTemplate & {
    readonly $patch?: string;
  };
  return template;
}

/** Deletes the oldest revisions beyond the limit, except for those in use. */
export function dropRevisions(
  runtime: Runtime,
  owner: KubernetesObject,
  limit: number,
  inUse: ReadonlySet<string>,
): void {
  const idle = revisionsOf(runtime, owner).filter(
    ({ metadata }) => !inUse.has(metadata.name ?? ""),
  );
  for (const { metadata } of idle.slice(0, Math.max(0, idle.length - limit))) {
    runtime.client.delete(controllerRevisions, metadata.namespace ?? "", metadata.name ?? "");
  }
}

function raise({ client }: Runtime, { metadata, ...rest }: Revision, revision: number): Revision {
  const { namespace = "", name = "" } = metadata;
  const raised = client.update(controllerRevisions, namespace, name, (live) => ({
    ...live,
    revision,
  }));
  return (raised as Revision | undefined) ?? { ...rest, metadata, revision };
}
