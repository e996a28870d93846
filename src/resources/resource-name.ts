/** What a resource's name is made of, besides its id. */
export interface NameScope {
  readonly env: string;
  readonly module: string;
  readonly class?: string | undefined;
  readonly type: string;
}

/** `<ENV>:<MODULE>[/<CLASS>]:<RESOURCE>[#ID]`. */
export function scopedName(scope: NameScope, id: string | undefined): string {
  return id === undefined ? scopeKey(scope) : `${scopeKey(scope)}#${id}`;
}

/** `<ENV>#GID`. */
export function globalName(env: string, globalId: string): string {
  return `${env}#${globalId}`;
}

/** The name without its id: what ids must be unique in. */
export function scopeKey({ env, module, class: className, type }: NameScope): string {
  const place = className === undefined ? module : `${module}/${className}`;
  return `${env}:${place}:${type}`;
}

/**
 * The full name that an alias means: `#old` is another id in the same scope, and a name without its
 * environment, as shared packages write it, is one of the environment of this run.
 */
export function aliasName(alias: string, scope: NameScope, around: string | undefined): string {
  if (alias.startsWith("#")) {
    const id = alias.slice(1);
    return scopedName(scope, around === undefined ? id : `${around}/${id}`);
  }
  const isFull = alias.startsWith(`${scope.env}:`) || alias.startsWith(`${scope.env}#`);
  return isFull ? alias : `${scope.env}:${alias}`;
}

/** The type in a name: what stands between the scope and the id. */
export function typeOfName(name: string): string {
  const scoped = name.split("#")[0] ?? "";
  return scoped.split(":").slice(-2).join(":");
}

/** Where a resource is allocated: its module, and its class if it has one; empty in a global name. */
export function placeOfName(name: string): string {
  return (name.split("#")[0] ?? "").split(":").slice(0, -2).join(":");
}

/** What a name says besides its place: the type and the id. */
export function withinPlace(name: string): string {
  const place = placeOfName(name);
  return place === "" ? name : name.slice(place.length + 1);
}

/** Whether a resource is allocated in a module or a class, or in a class of the module. */
export function isInPlace(name: string, place: string): boolean {
  const own = placeOfName(name);
  return own === place || own.startsWith(`${place}/`);
}

/** The id in a name. */
export function idOfName(name: string): string | undefined {
  const hash = name.indexOf("#");
  return hash === -1 ? undefined : name.slice(hash + 1);
}

/** What is wrong with an id that a program gives, or undefined. */
export function idProblem(id: string): string | undefined {
  if (id === "") return "it is empty";
  if (id.length > longestId) return `it is longer than ${longestId} characters`;
  const wrong = /[^A-Za-z0-9._-]/u.exec(id)?.[0];
  return wrong === undefined
    ? undefined
    : `it has ${JSON.stringify(wrong)}; letters, digits, ".", "_" and "-" are allowed`;
}

const longestId = 128;
