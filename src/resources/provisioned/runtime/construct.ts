import type { ModuleReference } from "../place.ts";

/** Where a `new` stands in the user's source. */
export interface Site {
  /** The token of the module. */
  readonly module: string;
  /** The class in whose body the `new` stands, if any. */
  readonly class: string | undefined;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A `new` that has begun and not ended. Resources note here what they are. */
export interface Construction {
  readonly site: Site;
  readonly target: unknown;
  readonly outer: Construction | undefined;
}

let current: Construction | undefined;

/** The innermost `new` under way. Constructors run synchronously, so nothing else can intervene. */
export function currentConstruction(): Construction | undefined {
  return current;
}

/** Where the instance that is being made was asked for; undefined when code that is not rewritten asked. */
export function currentSite(newTarget?: unknown): Site | undefined {
  if (newTarget !== undefined && current?.target !== newTarget) return undefined;
  return current?.site;
}

let runInside = <T>(_construction: Construction, make: () => T): T => make();

/** Has every construction run inside something, such as a scope that asynchronous code keeps. */
export function setConstructionScope(
  scope: <T>(construction: Construction, make: () => T) => T,
): void {
  runInside = scope;
}

/** Does `new target(...args)`, and lets constructors see from where. */
export function construct(target: unknown, args: readonly unknown[], site: Site): unknown {
  const outer = current;
  const construction = { site, target, outer };
  current = construction;
  try {
    return runInside(construction, () => Reflect.construct(target as new () => unknown, args));
  } finally {
    current = outer;
  }
}

export function siteOf(
  module: ModuleReference,
  line: number,
  column: number,
  className: string | undefined,
): Site {
  const { file, token } = module();
  return { module: token, class: className, file, line, column };
}
