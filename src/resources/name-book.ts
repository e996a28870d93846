import type { NameScope } from "./resource-name.ts";
import { globalName, scopedName, scopeKey } from "./resource-name.ts";

/** What one allocation says about its name. */
export interface NameRequest {
  readonly scope: NameScope;
  readonly explicitId?: string | undefined;
  readonly globalId?: string | undefined;
  /** The id of the instance that allocates, if it has one. */
  readonly around?: InstanceId | undefined;
}

/** The full id of an instance, and whether its last part is only a number. */
export interface InstanceId {
  readonly id: string;
  readonly isNumber: boolean;
}

export interface GivenName {
  readonly name: string;
  /** What the instance hands on to what it allocates. */
  readonly instance?: InstanceId | undefined;
  /** Present from the second unnamed allocation of a scope on. */
  readonly automaticId?: number | undefined;
  /** What unnamed allocations are counted in. */
  readonly counted?: string | undefined;
}

/**
 * Gives names in the order of allocation. An id is unique within its scope and the instance around
 * it; without one the first allocation goes without a number and each further one is counted.
 */
export class NameBook {
  readonly #taken = new Set<string>();
  readonly #counts = new Map<string, number>();

  /** The name that the request leads to; `isTaken` where another resource has it already. */
  give(request: NameRequest): GivenName & { readonly isTaken: boolean } {
    const given = this.#choose(request);
    const isTaken = this.#taken.has(given.name);
    this.#taken.add(given.name);
    return { ...given, isTaken };
  }

  #choose({ scope, explicitId, globalId, around }: NameRequest): GivenName {
    if (globalId !== undefined) {
      return {
        name: globalName(scope.env, globalId),
        instance: { id: globalId, isNumber: false },
      };
    }
    if (explicitId !== undefined) {
      const id = around === undefined ? explicitId : `${around.id}/${explicitId}`;
      return { name: scopedName(scope, id), instance: { id, isNumber: false } };
    }
    return this.#count(scope, around);
  }

  #count(scope: NameScope, around: InstanceId | undefined): GivenName {
    const key = `${scopeKey(scope)}#${around?.id ?? ""}`;
    let count = (this.#counts.get(key) ?? 0) + 1;
    let id = countedId(count, around);
    // A program may give a number as an id of its own; counting goes on behind it.
    while (count > 1 && this.#taken.has(scopedName(scope, id))) {
      count += 1;
      id = countedId(count, around);
    }
    this.#counts.set(key, count);
    const instance =
      id === undefined ? undefined : { id, isNumber: count > 1 || around?.isNumber === true };
    return {
      name: scopedName(scope, id),
      instance,
      counted: key,
      ...(count > 1 ? { automaticId: count } : {}),
    };
  }
}

/**
 * The first allocation inside an instance takes the instance's own id. Where that is a mere number,
 * it could be taken for a count of the scope itself, so the first is counted there as well.
 */
export function countedId(count: number, around: InstanceId | undefined): string | undefined {
  if (around === undefined) return count === 1 ? undefined : String(count);
  if (count === 1 && !around.isNumber) return around.id;
  return `${around.id}/${count}`;
}
