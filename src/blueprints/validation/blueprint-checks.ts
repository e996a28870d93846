import { fieldAt } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { type Blueprint, optionName } from "../model/blueprint.ts";
import { digestOf } from "../stamping/digest.ts";

/** Options of one step whose selectors say the same, in whatever order. */
export function equalSelectors({ steps }: Pick<Blueprint, "steps">): readonly {
  readonly step: string;
  readonly options: readonly string[];
}[] {
  return steps.flatMap(({ name, choice }) => {
    if (choice.kind !== "options") return [];
    const groups = Map.groupBy(choice.options, ({ selector }) =>
      [...new Set(selector.map(digestOf))].sort().join(),
    );
    return [...groups.values()]
      .filter((options) => options.length > 1)
      .map((options) => ({ step: name, options: options.map(optionName) }));
  });
}

/** Templates that name a namespace, which is always the owner's. */
export function namespacedTemplates(
  { steps }: Pick<Blueprint, "steps">,
  templateOf: (kind: string, name: string) => KubernetesObject | undefined,
): readonly { readonly kind: string; readonly name: string }[] {
  return steps.flatMap(({ templateKind: kind, choice }) => {
    const names =
      choice.kind === "template"
        ? [choice.name]
        : choice.options.flatMap((option) => (option.kind === "template" ? [option.name] : []));
    return names
      .filter((name) => setsNamespace(templateOf(kind, name)))
      .map((name) => ({ kind, name }));
  });
}

export function setsNamespace(template: KubernetesObject | undefined): boolean {
  return fieldAt(template, "spec", "template", "metadata", "namespace") !== undefined;
}
