/**
 * The defaults of built-in kinds that the server computes in code, one file for each family of
 * kinds, by the type that they belong to.
 *
 * What a server allocates or looks up (addresses, ports, priorities, tokens) is not a default.
 */
import type { JsonObject, JsonValue } from "../../json/index.ts";
import type { Schema } from "../schema.ts";
import { definitionDefaults } from "./definition-defaults.ts";
import { podDefaults } from "./pod-defaults.ts";
import { policyDefaults } from "./policy-defaults.ts";
import { serviceDefaults } from "./service-defaults.ts";
import { storageDefaults } from "./storage-defaults.ts";
import type { DefaultsByType, TypeDefaults } from "./type-defaults.ts";
import { workloadDefaults } from "./workload-defaults.ts";

/** Fills in the defaults of a normalised object of a built-in kind, in place. */
export function setBuiltinDefaults(schema: Schema, object: JsonObject): void {
  run(planOf(schema), object);
}

const defaultsByType: DefaultsByType = {
  ...podDefaults,
  ...workloadDefaults,
  ...serviceDefaults,
  ...storageDefaults,
  ...policyDefaults,
  ...definitionDefaults,
};

/** What is to be done to a value of one type; shared by all fields of that type. */
interface Plan {
  readonly defaults?: TypeDefaults;
  /** Defaults that the schema itself states. */
  readonly values: readonly (readonly [string, JsonValue])[];
  readonly fields: [string, Plan][];
  items?: Plan;
  entries?: Plan;
  /** Whether there is anything to do here or below; unknown while being built. */
  isIdle: boolean | undefined;
}

const plans = new WeakMap<Schema, Plan>();

function planOf(schema: Schema): Plan {
  const known = plans.get(schema);
  if (known !== undefined) return known;
  const defaults = defaultsByType[schema.name?.replace("io.k8s.api.", "") ?? ""];
  const plan: Plan = {
    ...(defaults === undefined ? {} : { defaults }),
    values: statedDefaults(schema),
    fields: [],
    isIdle: undefined,
  };
  plans.set(schema, plan);
  // Metadata of templates has no defaults, and is everywhere.
  for (const [key, field] of schema.properties ?? []) {
    if (key === "metadata") continue;
    const below = planOf(field);
    if (below.isIdle !== true) plan.fields.push([key, below]);
  }
  if (schema.items !== undefined) plan.items = planOf(schema.items);
  if (typeof schema.additionalProperties === "object") {
    plan.entries = planOf(schema.additionalProperties);
  }
  plan.isIdle =
    plan.defaults === undefined &&
    plan.values.length === 0 &&
    plan.fields.length === 0 &&
    (plan.items?.isIdle ?? true) &&
    (plan.entries?.isIdle ?? true);
  return plan;
}

function statedDefaults(schema: Schema): readonly (readonly [string, JsonValue])[] {
  const stated: [string, JsonValue][] = [];
  for (const [key, field] of schema.properties ?? []) {
    const value = field.default;
    // A zero is not a default but how Go writes the field.
    if (value !== undefined && value !== 0 && value !== "" && value !== false) {
      stated.push([key, value]);
    }
  }
  return stated;
}

function run(plan: Plan, value: JsonValue | undefined): void {
  if (plan.isIdle === true || value === undefined || value === null) return;
  if (Array.isArray(value)) {
    if (plan.items !== undefined) for (const item of value) run(plan.items, item);
    return;
  }
  if (typeof value !== "object") return;
  plan.defaults?.(value);
  for (const [key, stated] of plan.values) if (value[key] === undefined) value[key] = stated;
  for (const [key, below] of plan.fields) run(below, value[key]);
  if (plan.entries !== undefined)
    for (const entry of Object.values(value)) run(plan.entries, entry);
}
