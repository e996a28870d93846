/** Sets a field of an object that others name; `__proto__` is a name like any other there. */
export function setField<Value>(object: Record<string, Value>, name: string, value: Value): void {
  if (name === "__proto__")
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else object[name] = value;
}

/** A field of an object that others name; what every object inherits is none. */
export function ownField<Value>(
  object: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}
