import { raise } from "../evaluation-error.ts";
import { mandatory, type KeywordArguments, type StarlarkFunction } from "../values/callable.ts";
import { StarlarkDict } from "../values/dict.ts";
import { StarlarkTuple } from "../values/tuple.ts";
import type { Value } from "../values/value.ts";
import { encodeText } from "../byte-text.ts";
import type { Slot } from "./frame.ts";

/** Puts the arguments of a call into the slots of the function's parameters. */
export function bindArguments(
  callee: StarlarkFunction,
  slots: Slot[],
  args: readonly Value[],
  keywords: KeywordArguments,
): void {
  const { scope, parameterCount } = callee.code;
  const name = encodeText(callee.name);
  if (parameterCount === 0) {
    const given = args.length + keywords.length;
    if (given > 0) raise(`function ${name} accepts no arguments (${given} given)`);
    return;
  }
  const plainCount = parameterCount - Number(scope.hasVarargs) - Number(scope.hasKwargs);
  const positionalCount = plainCount - scope.keywordOnlyCount;
  if (args.length > positionalCount && !scope.hasVarargs) {
    raise(tooManyPositional(callee, name, positionalCount, args.length));
  }
  for (let slot = 0; slot < parameterCount; slot++) {
    slots.push(slot < positionalCount ? args[slot] : undefined);
  }
  if (scope.hasVarargs) slots[plainCount] = new StarlarkTuple(args.slice(positionalCount));
  const extra = scope.hasKwargs ? new StarlarkDict() : undefined;
  if (extra !== undefined) slots[parameterCount - 1] = extra;
  bindKeywords(callee, name, slots, keywords, plainCount, extra);
  fillDefaults(callee, name, slots, plainCount);
}

function bindKeywords(
  callee: StarlarkFunction,
  name: string,
  slots: Slot[],
  keywords: KeywordArguments,
  plainCount: number,
  extra: StarlarkDict | undefined,
): void {
  const { locals } = callee.code.scope;
  for (const keyword of keywords) {
    const slot = locals.findIndex(
      (local, index) => index < plainCount && local.name === keyword.name,
    );
    const isRepeated = slot >= 0 ? slots[slot] !== undefined : extra?.has(keyword.name) === true;
    if (slot < 0 && extra === undefined) {
      raise(`function ${name} got an unexpected keyword argument "${keyword.name}"`);
    }
    if (isRepeated) {
      raise(`function ${name} got multiple values for parameter "${keyword.name}"`);
    }
    if (slot >= 0) slots[slot] = keyword.value;
    else extra?.set(keyword.name, keyword.value);
  }
}

function fillDefaults(
  callee: StarlarkFunction,
  name: string,
  slots: Slot[],
  plainCount: number,
): void {
  const firstDefault = plainCount - callee.defaults.length;
  const missing: string[] = [];
  for (let slot = 0; slot < plainCount; slot++) {
    if (slots[slot] !== undefined) continue;
    const value = callee.defaults[slot - firstDefault];
    if (value === undefined || value === mandatory) {
      missing.push(callee.code.scope.locals[slot]?.name ?? "");
    } else slots[slot] = value;
  }
  if (missing.length === 0) return;
  const plural = missing.length > 1 ? "s" : "";
  raise(`function ${name} missing ${missing.length} argument${plural} (${missing.join(", ")})`);
}

function tooManyPositional(
  callee: StarlarkFunction,
  name: string,
  accepted: number,
  given: number,
): string {
  const hasOptional = callee.defaults.length > callee.code.scope.keywordOnlyCount;
  const atMost = hasOptional ? "at most " : "";
  const plural = accepted === 1 ? "" : "s";
  return `function ${name} accepts ${atMost}${accepted} positional argument${plural} (${given} given)`;
}
