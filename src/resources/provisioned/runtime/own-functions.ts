/** Stands in every function of a rewritten module, so that its text tells it from others. */
export const ownMarker = "@keelson";

const accepted = new WeakSet<object>();
const known = new WeakMap<object, boolean>();

/** Lets functions and classes that are not rewritten take provisioned values: they store them only. */
export function acceptProvisioned(...functions: readonly object[]): void {
  for (const accepting of functions) {
    accepted.add(accepting);
    known.delete(accepting);
  }
}

/** Whether a function asks before it decides: it is rewritten, or declared to store values only. */
export function isOwn(target: object): boolean {
  let own = known.get(target);
  if (own === undefined) {
    own = accepted.has(target) || textOf(target).includes(ownMarker);
    known.set(target, own);
  }
  return own;
}

function textOf(target: object): string {
  return typeof target === "function" ? Function.prototype.toString.call(target) : "";
}
