import {
  type CallRule,
  comparing,
  deciding,
  flattening,
  looking,
  lookingAtFirst,
  moving,
  printing,
  writing,
} from "./call-rule.ts";

type Methods = Readonly<Record<PropertyKey, unknown>>;

const iteratorPrototype: object = Object.getPrototypeOf(
  Object.getPrototypeOf([][Symbol.iterator]()),
);

/** Prototypes of objects that the language makes without a constructor to name. */
const generators: readonly object[] = [
  Object.getPrototypeOf((function* () {})()),
  Object.getPrototypeOf((async function* () {})()),
  [][Symbol.iterator](),
  new Map()[Symbol.iterator](),
  new Set()[Symbol.iterator](),
].map((made) => Object.getPrototypeOf(made) as object);

/**
 * What built-in functions do with provisioned values. Whatever is not listed may decide on them:
 * conversions, comparisons and searches need no entry.
 */
const table: readonly (readonly [of: object, rule: CallRule, names: string])[] = [
  [Array.prototype, moving, "push unshift pop shift reverse toReversed keys values entries map"],
  [Array.prototype, moving, "forEach reduce reduceRight fill"],
  [Array.prototype, lookingAtFirst(1), "at with"],
  [Array.prototype, lookingAtFirst(2), "slice splice toSpliced"],
  [Array.prototype, looking, "concat copyWithin"],
  [Array.prototype, comparing, "includes indexOf lastIndexOf"],
  [Array.prototype, flattening, "flat"],
  [Array.prototype, deciding, "filter find findIndex findLast findLastIndex some every"],
  [Array.prototype, deciding, "sort toSorted flatMap"],
  [Array, moving, "of"],
  [Array, looking, "from fromAsync isArray"],
  [Object, looking, "keys values entries assign fromEntries freeze isFrozen seal isSealed create"],
  [Object, looking, "preventExtensions isExtensible defineProperty defineProperties hasOwn is"],
  [Object, looking, "getOwnPropertyNames getOwnPropertySymbols getOwnPropertyDescriptor"],
  [Object, looking, "getOwnPropertyDescriptors getPrototypeOf setPrototypeOf"],
  [Object, deciding, "groupBy"],
  [Object.prototype, looking, "hasOwnProperty propertyIsEnumerable isPrototypeOf valueOf"],
  [Reflect, looking, "get set has ownKeys getOwnPropertyDescriptor defineProperty"],
  [Reflect, looking, "deleteProperty getPrototypeOf setPrototypeOf"],
  [Map, deciding, "groupBy"],
  [Map.prototype, lookingAtFirst(1), "get has set delete"],
  [Map.prototype, moving, "forEach keys values entries clear"],
  [WeakMap.prototype, lookingAtFirst(1), "get has set delete"],
  [Set.prototype, looking, "add has delete"],
  [Set.prototype, moving, "forEach keys values entries clear"],
  [WeakSet.prototype, looking, "add has delete"],
  [Promise, moving, "resolve reject all allSettled race any"],
  [Promise.prototype, moving, "then catch finally"],
  [iteratorPrototype, moving, "map forEach reduce toArray"],
  [iteratorPrototype, lookingAtFirst(1), "take drop"],
  [iteratorPrototype, deciding, "filter find some every flatMap"],
  ...generators.map((of) => [of, moving, "next return throw"] as const),
  [globalThis, moving, "queueMicrotask setImmediate"],
  [JSON, writing, "stringify"],
  [console, printing, "log info warn error debug trace group groupCollapsed"],
  [console, moving, "dir table"],
];

export const builtInRules: ReadonlyMap<unknown, CallRule> = new Map(
  table.flatMap(([of, rule, names]) =>
    names
      .split(" ")
      .map((name): [unknown, CallRule] => [(of as Methods)[name], rule])
      .filter(([method]) => typeof method === "function"),
  ),
);
