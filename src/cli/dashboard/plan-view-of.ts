import type { FieldView, PlannedView, PlanView } from "../../dashboard/index.ts";
import { type Diagnostic, diagnosticToJson } from "../../diagnostics/index.ts";
import type { GroupReference } from "../../inventory/index.ts";
import { formatIdentity, identityKey, maskSecrets, writeYaml } from "../../objects/index.ts";
import {
  type FieldChange,
  isRecordIdentity,
  labelOfNode,
  type OrderedComponent,
} from "../../plan/index.ts";
import { type PlannedChange, secretFields } from "../../engine/index.ts";
import { actionOf, shownValue } from "../views/plan-view.ts";

export interface DescribedPlan {
  readonly id: string;
  readonly group: GroupReference;
  readonly planned: readonly PlannedChange[];
  readonly warnings: readonly Diagnostic[];
  readonly components: readonly OrderedComponent[];
  readonly made: Date;
}

/** A plan as the page shows it: the same fields, masked the same way, as `keelson plan` prints. */
export function planViewOf(described: DescribedPlan): PlanView {
  const { id, group, planned, warnings, components, made } = described;
  const componentOf = new Map(
    components.flatMap(({ name, members }) => members.map((member) => [member, name])),
  );
  const views = planned.map((each) => plannedView(each, componentOf));
  return {
    id,
    made: made.toISOString(),
    inventory: `${group.namespace}/${group.id}`,
    objects: views.filter((view) => view !== undefined),
    unchanged: planned.filter((each) => actionOf(each) === "unchanged").length,
    diagnostics: warnings.map(diagnosticToJson),
  };
}

function plannedView(
  each: PlannedChange,
  componentOf: ReadonlyMap<string, string>,
): PlannedView | undefined {
  const { node, changes, refusal } = each;
  const action = shownAction(each);
  if (action === undefined) return undefined;
  const { identity } = node;
  const isCreated = node.kind === "apply" && action === "create" && !isRecordIdentity(identity);
  const key = identityKey(identity);
  return {
    key,
    component: componentOf.get(key) ?? "",
    name: labelOfNode(node) ?? formatIdentity(identity),
    action,
    message: node.message ?? "",
    changes: changes.map(fieldView),
    ...(isCreated
      ? { yaml: writeYaml([maskSecrets(node.object, secretFields(node.resource))]) }
      : {}),
    ...(refusal === undefined ? {} : { refusal }),
  };
}

function shownAction(each: PlannedChange): PlannedView["action"] | undefined {
  const action = actionOf(each);
  switch (action) {
    case "create":
    case "prune":
    case "keep":
    case "skip":
      return action;
    case "refused":
    case "update":
      return each.node.kind === "apply" && each.node.replacement !== undefined
        ? "replace"
        : "update";
    default:
      return undefined;
  }
}

function fieldView({ path, before, after }: FieldChange): FieldView {
  return {
    path,
    ...(before === undefined ? {} : { before: shownValue(before) }),
    ...(after === undefined ? {} : { after: shownValue(after) }),
  };
}
