import type { JsonObject } from "../../json/index.ts";
import { objectsAt, textAt } from "../model/read-fields.ts";

export type ConditionStatus = "True" | "False" | "Unknown";

/** A condition before it is known since when it holds. */
export interface Judgement {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
}

export interface OwnerCondition extends Judgement {
  readonly lastTransitionTime: string;
}

/**
 * One condition out of many: what is false wins, then what is not known, each time the first; for
 * Cartographer the last that is false.
 */
export function summary(
  type: string,
  judgements: readonly Judgement[],
  isCartographer = false,
): Judgement {
  const isFalse = ({ status }: Judgement): boolean => status === "False";
  const worst =
    (isCartographer ? judgements.findLast(isFalse) : judgements.find(isFalse)) ??
    judgements.find(({ status }) => status === "Unknown");
  if (worst !== undefined) return { ...worst, type };
  return judgements.length === 0
    ? { type, status: "Unknown", reason: "Unknown", message: "" }
    : { type, status: "True", reason: "Ready", message: "" };
}

/** Since when each condition has its status: the time moves only when the status does. */
export function dated(
  judgements: readonly Judgement[],
  previous: readonly JsonObject[],
  now: string,
): readonly OwnerCondition[] {
  return judgements.map((judgement) => {
    const before = previous.find((each) => each["type"] === judgement.type);
    const since = textAt(before, "lastTransitionTime");
    const isSame = before?.["status"] === judgement.status && since !== undefined;
    return { ...judgement, lastTransitionTime: isSame ? since : now };
  });
}

export function previousConditions(holder: unknown): readonly JsonObject[] {
  return objectsAt(holder, "conditions");
}

/** A condition as it was, to be kept when nothing new is known. */
export function previousJudgement(holder: unknown, type: string): Judgement | undefined {
  const found = previousConditions(holder).find((each) => each["type"] === type);
  if (found === undefined) return undefined;
  const status = textAt(found, "status");
  return {
    type,
    status: status === "True" || status === "False" ? status : "Unknown",
    reason: textAt(found, "reason") ?? "Unknown",
    message: textAt(found, "message") ?? "",
  };
}
