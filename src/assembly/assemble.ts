import type { Diagnostic } from "../diagnostics/index.ts";
import type { ScopeLookup } from "../objects/index.ts";
import { applyDirectives } from "./apply-directives.ts";
import { attachObjects } from "./attach-objects.ts";
import { checkDependencies } from "./check-dependencies.ts";
import { checkNames } from "./check-names.ts";
import { collectObjects } from "./collect-objects.ts";
import { type Component, uncategorizedName } from "./component.ts";
import { ComponentDraft } from "./component-draft.ts";
import type { Directive, GivenObject } from "./directive.ts";
import { finishComponent } from "./finish-component.ts";
import { IdentifierIndex } from "./identifier-index.ts";
import { ImageFinder } from "./image-finder.ts";
import { namedWorkloads } from "./name-workloads.ts";
import { WorkloadKinds } from "./workload-kinds.ts";

export interface AssembleInput {
  readonly objects: readonly GivenObject[];
  readonly directives: readonly Directive[];
  /** Where objects are that name no namespace. */
  readonly effectiveNamespace: string;
  readonly scopeOf: ScopeLookup;
}

export interface Assembled {
  /** What belongs to no workload first, then the others in the order given. */
  readonly components: readonly Component[];
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Makes components: one for each workload, with the objects that go with it and the images that it
 * uses. With any error the components are only what could be made of the rest.
 */
export function assemble(input: AssembleInput): Assembled {
  const { directives, effectiveNamespace, scopeOf } = input;
  const collected = collectObjects(input.objects, scopeOf, effectiveNamespace);
  const kinds = new WorkloadKinds(directives, scopeOf);
  const images = new ImageFinder(directives);
  const workloads = collected.objects.filter(
    (object) => kinds.isWorkload(object) || images.isDeclaredFor(object),
  );
  const index = new IdentifierIndex(workloads);
  const named = namedWorkloads(workloads, index, directives);
  const uncategorized = new ComponentDraft("uncategorized", uncategorizedName, { by: "keelson" });
  const applied = applyDirectives({
    directives,
    objects: collected.objects,
    workloads: index,
    drafts: [uncategorized, ...named.drafts],
  });
  const members = attachObjects(collected.objects, applied.drafts, applied.claims);
  const drafts = applied.drafts.filter(
    (draft) => draft.kind !== "uncategorized" || members.has(draft),
  );
  const dependencies = checkDependencies(drafts);
  const components = drafts.map((draft) =>
    finishComponent(draft, members.get(draft) ?? [], { kinds, images, dependencies }),
  );
  return {
    components,
    diagnostics: [
      ...collected.diagnostics,
      ...named.diagnostics,
      ...applied.diagnostics,
      ...checkNames(drafts),
      ...dependencies.diagnostics,
      ...images.diagnostics(),
    ],
  };
}
