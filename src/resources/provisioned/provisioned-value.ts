/**
 * A value not known yet is a proxy, so that its members can be read like those of the value it
 * stands for. It is a proxy of a function: ordinary data is never a function, which makes asking
 * "is this provisioned?" cheap for ordinary data. Whatever is not the reading of a member is
 * refused here too, for code that no loader has rewritten.
 */
import { inspect } from "node:util";
import { type Deferred, registerDeferred } from "./deferred.ts";
import { describeDeferred } from "./describe.ts";
import type { Origin } from "./origin.ts";
import { rejectHere } from "./reject.ts";

let made = 0;

/** The value of a property that its provider fills in. Typed by the caller as what it will be. */
export function makeProvisioned(origin: Origin): unknown {
  return makeDeferred({ kind: "property", origin });
}

export function makeDeferred(deferred: Deferred): unknown {
  made++;
  const target = Object.assign(() => undefined, {
    [inspect.custom]: () => `(known after apply: ${describeDeferred(deferred)})`,
  });
  const value = new Proxy(target, new ProvisionedHandler(deferred));
  registerDeferred(value, deferred);
  return value;
}

/** Whether this evaluation has made any provisioned value: before that there is nothing to check. */
export function hasProvisioned(): boolean {
  return made > 0;
}

// Promises look for `then` to tell whether they hold another promise; no output is one.
const neverMembers = new Set<string | symbol>(["then", "constructor", "prototype"]);

class ProvisionedHandler implements ProxyHandler<() => undefined> {
  readonly #deferred: Deferred;
  readonly #members = new Map<string, unknown>();

  constructor(deferred: Deferred) {
    this.#deferred = deferred;
  }

  get(_target: unknown, key: string | symbol): unknown {
    if (neverMembers.has(key)) return undefined;
    if (typeof key === "symbol") return this.#ofSymbol(key);
    if (key === "toJSON") return this.#reject("is written as JSON");
    // The same member is the same value, as it is for ordinary data.
    let member = this.#members.get(key);
    if (member === undefined) {
      member = makeDeferred(memberOf(this.#deferred, key));
      this.#members.set(key, member);
    }
    return member;
  }

  #ofSymbol(key: symbol): unknown {
    if (key === Symbol.toPrimitive) return () => this.#reject("is converted to text or a number");
    if (key === Symbol.iterator || key === Symbol.asyncIterator) {
      return this.#reject("is iterated over");
    }
    if (key === Symbol.isConcatSpreadable) return this.#reject("is joined to a list");
    return undefined;
  }

  has(): boolean {
    return this.#reject("is asked for a member");
  }
  ownKeys(): never {
    return this.#reject("is asked for its members");
  }
  getOwnPropertyDescriptor(): never {
    return this.#reject("is asked for its members");
  }
  set(): never {
    return this.#reject("is changed");
  }
  defineProperty(): never {
    return this.#reject("is changed");
  }
  deleteProperty(): never {
    return this.#reject("is changed");
  }
  apply(): never {
    return this.#reject("is called");
  }
  construct(): never {
    return this.#reject("is called");
  }
  getPrototypeOf(): never {
    return this.#reject("is asked for its class");
  }

  #reject(what: string): never {
    return rejectHere(this.#deferred, what);
  }
}

function memberOf(deferred: Deferred, key: string): Deferred {
  if (deferred.kind !== "property") return { kind: "member", of: deferred, key };
  const { resource, path } = deferred.origin;
  return { kind: "property", origin: { resource, path: [...path, key] } };
}
