import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext } from "../api-context.ts";
import { type AdmissionAttributes, admissionRefusal } from "./attributes.ts";

const priorityClasses = "scheduling.k8s.io/priorityclasses";

interface Priority {
  readonly className: string;
  readonly value: number;
  readonly preemptionPolicy: string | undefined;
}

interface PrioritySpec {
  readonly priority?: number;
  readonly priorityClassName?: string;
  readonly preemptionPolicy?: string;
}

/** A pod with the priority of its class, or of the class that is the default. */
export function withPriority(
  context: ApiContext,
  attributes: AdmissionAttributes,
  pod: KubernetesObject,
): KubernetesObject {
  const spec = (pod["spec"] ?? {}) as PrioritySpec;
  const { className, value, preemptionPolicy } = priorityOf(context, attributes, spec);
  const computed = "priority admission controller computed";
  const from = "from the given PriorityClass name";
  if (spec.priority !== undefined && spec.priority !== value) {
    throw admissionRefusal(
      attributes,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; ${computed} ${value} ${from}`,
    );
  }
  const given = spec.preemptionPolicy;
  if (preemptionPolicy !== undefined && given !== undefined && given !== preemptionPolicy) {
    throw admissionRefusal(
      attributes,
      `the string value of PreemptionPolicy (${given}) must not be provided in pod spec; ${computed} ${preemptionPolicy} ${from}`,
    );
  }
  return {
    ...pod,
    spec: {
      ...spec,
      ...(className === "" ? {} : { priorityClassName: className }),
      priority: value,
      ...(preemptionPolicy === undefined ? {} : { preemptionPolicy }),
    },
  };
}

/** There is one default class at most. */
export function requireOneDefault(context: ApiContext, attributes: AdmissionAttributes): void {
  const { object, old } = attributes;
  if (object?.["globalDefault"] !== true) return;
  const name = defaultClass(context)?.metadata.name;
  if (name === undefined || (old !== undefined && name === object.metadata.name)) return;
  throw admissionRefusal(
    attributes,
    `PriorityClass ${name} is already marked as default. Only one default can exist`,
  );
}

function priorityOf(
  context: ApiContext,
  attributes: AdmissionAttributes,
  { priorityClassName: wanted = "" }: PrioritySpec,
): Priority {
  const found =
    wanted === "" ? defaultClass(context) : context.store.get(priorityClasses, "", wanted)?.object;
  if (found === undefined) {
    if (wanted !== "")
      throw admissionRefusal(attributes, `no PriorityClass with name ${wanted} was found`);
    return { className: "", value: 0, preemptionPolicy: "PreemptLowerPriority" };
  }
  return {
    className: found.metadata.name ?? "",
    value: valueOf(found),
    preemptionPolicy: found["preemptionPolicy"] as string | undefined,
  };
}

/** Of several defaults, which only a race can make, the one with the lowest value. */
function defaultClass({ store }: ApiContext): KubernetesObject | undefined {
  return store
    .list(priorityClasses)
    .map(({ object }) => object)
    .filter((each) => each["globalDefault"] === true)
    .toSorted((left, right) => valueOf(left) - valueOf(right))[0];
}

function valueOf(priorityClass: KubernetesObject): number {
  return Number(priorityClass["value"] ?? 0);
}
