import type { Diagnostic, SourceRange } from "../diagnostics/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
} from "../objects/index.ts";
import {
  idOfName,
  isDeferredValue,
  isInPlace,
  placeOfName,
  type ProgramGraph,
  typeOfName,
  withinPlace,
} from "../resources/index.ts";
import { isProvisionedObject, recordOfObject } from "./provisioned-record.ts";

/** A name that left and one that came, which may be the same resource in another place. */
interface Renamed {
  readonly from: string;
  readonly to: string;
  /** Whether the id says so, and not only the properties. */
  readonly hasSameId: boolean;
  /** More names that left, of the same type and properties. */
  readonly others: readonly string[];
  readonly source: SourceRange;
  /** Whether the object is the same under both names, so that nothing is deleted. */
  readonly staysInPlace: boolean;
}

/** What looks like the same resource in another place; the objects that would be deleted are named. */
export function looksRenamed(
  { resources }: ProgramGraph,
  /** What is there, by the names of the resources. */
  known: ReadonlyMap<string, KubernetesObject>,
  /** The identity key of a resource's object, as far as it has one. */
  keyOf: (resource: string) => string | undefined,
): readonly Diagnostic[] {
  const wanted = new Set(resources.flatMap(({ name, aliases }) => [name, ...aliases]));
  const left = [...known.keys()].filter((name) => !wanted.has(name));
  const pairs = resources
    .filter(
      ({ name, aliases, kind }) =>
        kind !== "composite" && ![name, ...aliases].some((each) => known.has(each)),
    )
    .flatMap(({ name, type, explicitId, inputs, source }): readonly Renamed[] => {
      const sameType = left.filter((old) => typeOfName(old) === type);
      const sameId = sameType.filter(
        (old) => explicitId !== undefined && idOfName(old) === idOfName(name),
      );
      // With an id of its own a resource is another one if that is another; one that only had a
      // number, or nothing, may have got its id now.
      const alike = sameType.filter(
        (old) =>
          (explicitId === undefined || !hasOwnId(old)) &&
          hasProperties(propertiesOf(known.get(old)), inputs),
      );
      const hasSameId = sameId.length > 0;
      const [from, ...others] = hasSameId ? sameId : alike;
      if (from === undefined) return [];
      const object = known.get(from);
      const staysInPlace = object !== undefined && keyOf(name) === identityKey(identityOf(object));
      return [{ from, to: name, hasSameId, others, source, staysInPlace }];
    });
  const moved = movedPlaces(pairs, [...known.keys()]);
  const isMoved = new Set(moved.flatMap((place) => place.pairs));
  const objectOf = ({ from }: Renamed): readonly ObjectIdentity[] => {
    const object = known.get(from);
    return object === undefined ? [] : [identityOf(object)];
  };
  return [
    ...moved.map((place) => movedWarning(place, place.pairs.flatMap(objectOf))),
    ...pairs
      .filter((pair) => !pair.staysInPlace && !isMoved.has(pair))
      .map((pair) => warning(pair, objectOf(pair))),
  ];
}

function warning(
  { from, to, hasSameId, others, source }: Renamed,
  objects: readonly ObjectIdentity[],
): Diagnostic {
  return {
    code: "program.looks-renamed",
    severity: "warning",
    summary: hasSameId
      ? `looks renamed: ${from} → ${to}`
      : `${to} is new, and ${[from, ...others].join(", ")} of the same type and properties left`,
    hint: hintFor(from, to),
    subject: to,
    objects,
    source,
  };
}

/** A module or class whose resources all came to be in another one. */
interface MovedPlace {
  readonly from: string;
  readonly to: string;
  readonly pairs: readonly Renamed[];
}

/** Where several resources left one place together, and none of it stayed behind: one renaming moves them all. */
function movedPlaces(pairs: readonly Renamed[], known: readonly string[]): readonly MovedPlace[] {
  const groups = Map.groupBy(
    pairs.filter(({ from, to }) => withinPlace(from) === withinPlace(to)),
    ({ from, to }) => withoutCommonEnd(placeOfName(from), placeOfName(to)).join(" → "),
  );
  return [...groups.values()].flatMap((group): readonly MovedPlace[] => {
    const [first] = group;
    if (first === undefined || group.every(({ staysInPlace }) => staysInPlace)) return [];
    const [from, to] = withoutCommonEnd(placeOfName(first.from), placeOfName(first.to));
    const olds = new Set(group.map((pair) => pair.from));
    const isWhole = known.filter((name) => isInPlace(name, from)).every((name) => olds.has(name));
    return group.length > 1 && isWhole ? [{ from, to, pairs: group }] : [];
  });
}

function movedWarning(
  { from, to, pairs }: MovedPlace,
  objects: readonly ObjectIdentity[],
): Diagnostic {
  return {
    code: "program.looks-renamed",
    severity: "warning",
    summary: `looks renamed: ${from} → ${to}, with its ${pairs.length} resources`,
    hint: hintFor(from, to),
    subject: to,
    objects,
    source: pairs[0]?.source,
  };
}

function hintFor(from: string, to: string): string {
  const command = `keelson rename ${JSON.stringify(from)} ${JSON.stringify(to)}`;
  return `if it is the same, so that nothing is deleted and created: ${command}`;
}

/** Of a module that was renamed, the classes in it are the same in both names. */
function withoutCommonEnd(from: string, to: string): readonly [string, string] {
  const end = /\/[^/]*$/.exec(from)?.[0];
  return end !== undefined && to.endsWith(end)
    ? withoutCommonEnd(from.slice(0, -end.length), to.slice(0, -end.length))
    : [from, to];
}

function propertiesOf(object: KubernetesObject | undefined): unknown {
  if (object === undefined || !isProvisionedObject(object)) return object;
  return recordOfObject(object)?.status?.inputs;
}

/** Whether all that a program gives is there; names differ, and what is not known yet may be anything. */
function hasProperties(found: unknown, given: unknown): boolean {
  if (isDeferredValue(given)) return true;
  if (Array.isArray(given))
    return (
      Array.isArray(found) &&
      found.length === given.length &&
      given.every((inner, index) => hasProperties(found[index], inner))
    );
  if (typeof given !== "object" || given === null) return found === given;
  if (typeof found !== "object" || found === null) return Object.keys(given).length === 0;
  return Object.entries(given).every(
    ([key, inner]) =>
      key === "metadata" || hasProperties((found as Readonly<Record<string, unknown>>)[key], inner),
  );
}

/** Whether somebody gave a resource its id, as far as the name tells. */
function hasOwnId(name: string): boolean {
  return !/(?:^|\/)\d+$/.test(idOfName(name) ?? "0");
}
