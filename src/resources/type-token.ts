/** The class of a resource by its place in the program: `<package>:<module>/<Class>`. */
export interface TypeToken {
  readonly package: string;
  readonly token: string;
  readonly className: string;
}

/** Any class; nothing is constructed through this type. */
export interface ClassValue {
  readonly name: string;
  readonly prototype: object;
}

/** What a class without a name is called; classes made by functions often have none. */
const unnamedClass = "class";

const tokens = new WeakMap<ClassValue, TypeToken>();

/** Remembers where a class is defined; the loader has every class of a program call this. */
export function registerClass(value: ClassValue, module: string, className: string): void {
  tokens.set(value, {
    package: packageOf(module),
    token: `${module}/${className || unnamedClass}`,
    className: className || unnamedClass,
  });
}

/** The token of a class itself, not of one that it extends. */
export function typeTokenOf(value: ClassValue): TypeToken | undefined {
  return tokens.get(value);
}

/** The package of a module token; a scoped package has no colon of its own. */
export function packageOf(module: string): string {
  const colon = module.indexOf(":");
  return colon === -1 ? module : module.slice(0, colon);
}
