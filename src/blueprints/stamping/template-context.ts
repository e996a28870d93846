import { type JsonObject, type JsonValue, setField } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { Family } from "../groups.ts";
import type { Input, Step } from "../model/blueprint.ts";
import type { StampLabels } from "./stamp-labels.ts";
import type { StepOutput } from "./outputs.ts";

/** What steps have emitted so far, by the name of the step. */
export type Emitted = ReadonlyMap<string, StepOutput>;

/** The inputs of a step that are not there yet. */
export function missingInputs(step: Step, emitted: Emitted): readonly Input[] {
  return step.inputs.filter((input) => inputValue(input, emitted) === undefined);
}

/** The inputs of a step as templates see them; those that are not there yet are left out. */
export function inputContext(step: Step, emitted: Emitted): JsonObject {
  const groups: Record<"sources" | "images" | "configs", JsonObject> = {
    sources: {},
    images: {},
    configs: {},
  };
  let deployment: JsonValue | undefined;
  for (const input of step.inputs) {
    const value = inputValue(input, emitted);
    if (value === undefined) continue;
    if (input.kind === "deployment") deployment = value;
    else setField(groups[`${input.kind}s`], input.name, { ...value, name: input.name });
  }
  return {
    ...groups,
    ...(deployment === undefined ? {} : { deployment }),
    ...singular(step, groups),
  };
}

/** Everything that a template may refer to. */
export function templateContext(
  owner: KubernetesObject,
  { ownerName }: Family,
  step: Step,
  { params, labels }: { readonly params: JsonObject; readonly labels: StampLabels },
  emitted: Emitted,
): JsonObject {
  return {
    [ownerName]: ownerContext(owner),
    params,
    labels: { ...labels },
    ...inputContext(step, emitted),
  };
}

/**
 * The owner without what changes by itself: its status, which follows from what is stamped, and the
 * marks of the server. A template that shows them would stamp something else after every write.
 */
export function ownerContext(owner: KubernetesObject): JsonObject {
  const { status: _status, metadata, ...rest } = owner as unknown as JsonObject & KubernetesObject;
  const { managedFields: _fields, resourceVersion: _version, ...kept } = metadata;
  return { ...rest, metadata: kept as JsonObject };
}

function inputValue({ kind, step }: Input, emitted: Emitted): JsonObject | undefined {
  const output = emitted.get(step);
  if (output === undefined) return undefined;
  if (kind === "image") return output.kind === "image" ? { image: output.image } : undefined;
  if (kind === "config") return output.kind === "config" ? { config: output.config } : undefined;
  return output.kind === "source" ? { url: output.url, revision: output.revision } : undefined;
}

/** With just one input of a kind its name may be left out. */
function singular(
  { inputs }: Step,
  { sources, images, configs }: Readonly<Record<"sources" | "images" | "configs", JsonObject>>,
): JsonObject {
  const only = (kind: Input["kind"], group: JsonObject): JsonObject | undefined => {
    const [first, ...more] = inputs.filter((input) => input.kind === kind);
    return first === undefined || more.length > 0
      ? undefined
      : (group[first.name] as JsonObject | undefined);
  };
  const source = only("source", sources);
  const image = only("image", images)?.["image"];
  const config = only("config", configs)?.["config"];
  return {
    ...(source === undefined ? {} : { source }),
    ...(image === undefined ? {} : { image }),
    ...(config === undefined ? {} : { config }),
  };
}
