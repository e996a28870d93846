import {
  type BlueprintGroup,
  blueprintVersion,
  type Family,
  readBlueprint,
  templateKinds,
  type TemplateLookup,
} from "../../blueprints/index.ts";
import type { ClusterView, KindView, ObjectKind } from "../../cluster/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";

/** The watches of one group, which all that look after it share. */
export class BlueprintWatches {
  readonly group: BlueprintGroup;
  readonly #informers: ClusterView;
  readonly #byKind = new Map<string, KindView>();
  readonly #namespace: string | undefined;

  constructor(group: BlueprintGroup, informers: ClusterView, namespace: string | undefined) {
    this.group = group;
    this.#informers = informers;
    this.#namespace = namespace;
  }

  /** The watch of one kind of this group. */
  kind(kind: string): KindView {
    const known = this.#byKind.get(kind);
    if (known !== undefined) return known;
    // Blueprints and templates belong to no namespace.
    const namespace = kind.startsWith("Cluster") ? undefined : this.#namespace;
    const watched = this.#informers.use(kindOf(this.group, kind), { namespace });
    this.#byKind.set(kind, watched);
    return watched;
  }

  blueprints({ blueprintKind }: Family): readonly KubernetesObject[] {
    return [...this.kind(blueprintKind).objects()];
  }

  readonly templateOf: TemplateLookup = (kind, name) =>
    this.kind(kind).get({ group: this.group, kind, namespace: "", name });

  /** Told of every change of a template that blueprints of a family may use. */
  onTemplate(family: Family, listener: (blueprints: readonly string[]) => void): void {
    for (const kind of templateKinds.filter((each) => family.templateKinds.includes(each))) {
      this.kind(kind).subscribe(({ object }) => {
        const name = object.metadata.name ?? "";
        listener(this.#usersOf(family, kind, name));
      });
    }
  }

  async synced(kinds: readonly string[]): Promise<void> {
    await Promise.all(kinds.map((kind) => this.kind(kind).synced));
  }

  /** The names of the blueprints that may use a template. */
  #usersOf(family: Family, kind: string, name: string): readonly string[] {
    return this.blueprints(family).flatMap((object) => {
      const blueprint = readBlueprint(object);
      const uses = blueprint?.steps.some(
        ({ templateKind, choice }) =>
          templateKind === kind &&
          (choice.kind === "template"
            ? choice.name === name
            : choice.options.some((option) => option.kind === "template" && option.name === name)),
      );
      return blueprint !== undefined && uses === true ? [blueprint.name] : [];
    });
  }
}

export function kindOf(group: BlueprintGroup, kind: string): ObjectKind {
  return { apiVersion: `${group}/${blueprintVersion}`, kind };
}
