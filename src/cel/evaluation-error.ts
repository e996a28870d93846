/** Why an expression has no value. Thrown and caught inside this folder only. */
export class CelError extends Error {}

/** The expression did more than it may; nothing in the expression itself can absorb this. */
export class CostExceeded extends CelError {
  constructor() {
    super("operation cancelled: actual cost limit exceeded");
  }
}

/** A key or an item is not there; it may be there in the next state of the same value. */
export class MissingValue extends CelError {}

export function celFailure(message: string): never {
  throw new CelError(message);
}

/** The server names the function when it has several signatures to choose from. */
export function noSuchOverload(name = ""): never {
  throw new CelError(name === "" ? "no such overload" : `no such overload: ${name}`);
}
