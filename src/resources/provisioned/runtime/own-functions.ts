/** Stands in every function of a rewritten module, so that its text tells it from others. */
const marker = "@keelson";
const markers = /"@keelson (\w+):(\d+):(\d+)"/g;

/** The mark of a function: the key of its source, and its range in there. */
export function ownMark(source: string, start: number, end: number): string {
  return `"${marker} ${source}:${start}:${end}"`;
}

const accepted = new WeakSet<object>();
const known = new WeakMap<object, boolean>();
// oxlint-disable-next-line typescript/unbound-method -- it is called with its object everywhere
const nativeText = Function.prototype.toString;

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
    own = accepted.has(target) || textOf(target).includes(marker);
    known.set(target, own);
  }
  return own;
}

function textOf(target: object): string {
  return typeof target === "function" ? nativeText.call(target) : "";
}

/**
 * Lets functions of rewritten modules show the text that the user wrote: some programs run the text
 * of a function elsewhere, where the runtime cannot be found.
 */
export function showOriginalTexts(sourceOf: (source: string) => string | undefined): void {
  function toString(this: unknown): string {
    const text = nativeText.call(this);
    return text.includes(marker) ? (originalText(text, sourceOf) ?? text) : text;
  }
  // oxlint-disable-next-line no-extend-native -- conversions to text reach functions only there
  Object.defineProperty(Function.prototype, "toString", {
    value: toString,
    writable: true,
    enumerable: false,
    configurable: true,
  });
}

/** The widest of the marks is that of the function itself; the others are of functions inside. */
function originalText(
  text: string,
  sourceOf: (source: string) => string | undefined,
): string | undefined {
  let widest: readonly [source: string, start: number, end: number] = ["", 0, 0];
  for (const [, source = "", start, end] of text.matchAll(markers)) {
    const width = Number(end) - Number(start);
    if (width > widest[2] - widest[1]) widest = [source, Number(start), Number(end)];
  }
  return sourceOf(widest[0])?.slice(widest[1], widest[2]);
}
