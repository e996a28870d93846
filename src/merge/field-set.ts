import type { JsonObject } from "../json/index.ts";
import { compareElements, fieldNameOf, isKeyElement } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import type { TypeNode } from "./type-node.ts";

/**
 * A set of paths into an object. A path may be a member while paths below it are members or not:
 * owning a list item is one thing, owning its fields another. Operations return new sets; only
 * {@link insertPath} changes one, while it is being built.
 */
export class FieldSet {
  readonly members: Set<PathElement>;
  readonly children: Map<PathElement, FieldSet>;
  /** What this set reads as in managedFields, once somebody has asked. */
  encoded: JsonObject | undefined;
  /** The same where the path to this set is a member too. */
  encodedAsMember: JsonObject | undefined;
  /** The type with which this set is known to be in line. */
  reconciledWith: TypeNode | undefined;

  constructor(members = new Set<PathElement>(), children = new Map<PathElement, FieldSet>()) {
    this.members = members;
    this.children = children;
  }

  get isEmpty(): boolean {
    if (this.members.size > 0) return false;
    for (const child of this.children.values()) if (!child.isEmpty) return false;
    return true;
  }

  has(path: readonly PathElement[]): boolean {
    const [first, ...rest] = path;
    if (first === undefined) return false;
    if (rest.length === 0) return this.members.has(first);
    return this.children.get(first)?.has(rest) ?? false;
  }

  /** The first steps of all paths. */
  steps(): Iterable<PathElement> {
    if (this.children.size === 0) return this.members;
    if (this.members.size === 0) return this.children.keys();
    return unite(this.members, this.children.keys());
  }

  /** The paths that begin with this step, without it. */
  under(element: PathElement): FieldSet | undefined {
    return this.children.get(element);
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    if (this.members.size !== other.members.size) return false;
    for (const member of this.members) if (!other.members.has(member)) return false;
    if (this.children.size !== other.children.size) return false;
    for (const [element, child] of this.children) {
      const counterpart = other.children.get(element);
      if (counterpart === undefined || !child.equals(counterpart)) return false;
    }
    return true;
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty || this === other) return this;
    if (this.isEmpty) return other;
    // Parts that gain nothing are shared, and with them what was worked out about them.
    let { children } = this;
    for (const [element, child] of other.children) {
      const own = this.children.get(element);
      const joined = own === undefined ? child : own.union(child);
      if (joined === own) continue;
      if (children === this.children) children = new Map(this.children);
      children.set(element, joined);
    }
    const members = includes(this.members, other.members)
      ? this.members
      : unite(this.members, other.members);
    if (members === this.members && children === this.children) return this;
    return new FieldSet(members, children);
  }

  intersection(other: FieldSet): FieldSet {
    return new FieldSet(
      intersect(this.members, other.members),
      this.#mapChildren((element, child) => {
        const counterpart = other.children.get(element);
        return counterpart === undefined ? undefined : child.intersection(counterpart);
      }),
    );
  }

  /** Without the members of the other set; what lies below those stays. */
  difference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#replacedBy(
      subtract(this.members, other.members),
      this.#mapChildren((element, child) => {
        const counterpart = other.children.get(element);
        return counterpart === undefined ? child : child.difference(counterpart);
      }),
    );
  }

  /** Without the members of the other set and without all that lies below them. */
  recursiveDifference(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    return this.#replacedBy(
      subtract(this.members, other.members),
      this.#mapChildren((element, child) => {
        if (other.members.has(element)) return undefined;
        const counterpart = other.children.get(element);
        return counterpart === undefined ? child : child.recursiveDifference(counterpart);
      }),
    );
  }

  /** Only the members below which there is no member. */
  leaves(): FieldSet {
    const members = new Set([...this.members].filter((each) => !this.children.has(each)));
    return new FieldSet(
      members,
      this.#mapChildren((_element, child) => child.leaves()),
    );
  }

  /**
   * Also with every field of the schema on the way to a member: whoever owns `spec.replicas` holds
   * `spec`, but not the entry of a map or the item of a list on the way.
   */
  ensureNamedFieldsAreMembers(type: TypeNode | undefined): FieldSet {
    const members = new Set(this.members);
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) {
      const name = fieldNameOf(element);
      const field = name === undefined ? undefined : type?.map?.fields.get(name);
      if (field !== undefined) members.add(element);
      const below =
        field?.type ??
        (name === undefined
          ? isKeyElement(element)
            ? type?.list?.element
            : undefined
          : type?.map?.element);
      children.set(element, child.ensureNamedFieldsAreMembers(below));
    }
    return new FieldSet(members, children);
  }

  /** Every member as a path: those of a level in order, then those below. */
  *paths(prefix: readonly PathElement[] = []): Iterable<readonly PathElement[]> {
    for (const member of sorted(this.members)) yield [...prefix, member];
    for (const element of sorted(this.children.keys())) {
      yield* this.children.get(element)?.paths([...prefix, element]) ?? [];
    }
  }

  /** This set itself when nothing was taken from it. */
  #replacedBy(members: Set<PathElement>, children: Map<PathElement, FieldSet>): FieldSet {
    const isSame =
      members.size === this.members.size &&
      children.size === this.children.size &&
      [...children].every(([element, child]) => this.children.get(element) === child);
    return isSame ? this : new FieldSet(members, children);
  }

  #mapChildren(
    map: (element: PathElement, child: FieldSet) => FieldSet | undefined,
  ): Map<PathElement, FieldSet> {
    const children = new Map<PathElement, FieldSet>();
    for (const [element, child] of this.children) {
      const mapped = map(element, child);
      if (mapped !== undefined && !mapped.isEmpty) children.set(element, mapped);
    }
    return children;
  }
}

/** Adds a path to a set that is being built; the empty path is nobody's. */
export function insertPath(set: FieldSet, path: readonly PathElement[]): void {
  let at = set;
  const last = path.length - 1;
  for (let index = 0; index < last; index += 1) {
    const element = path[index] ?? "";
    let child = at.children.get(element);
    if (child === undefined) {
      child = new FieldSet();
      at.children.set(element, child);
    }
    at = child;
  }
  const element = path[last];
  if (element !== undefined) at.members.add(element);
}

/** The set of these paths. */
export function fieldSetOf(...paths: readonly (readonly PathElement[])[]): FieldSet {
  const set = new FieldSet();
  for (const path of paths) insertPath(set, path);
  return set;
}

export function sorted(elements: Iterable<PathElement>): PathElement[] {
  const list = [...elements];
  return list.length < 2 ? list : list.sort(compareElements);
}

function includes(left: ReadonlySet<PathElement>, right: ReadonlySet<PathElement>): boolean {
  for (const element of right) if (!left.has(element)) return false;
  return true;
}

function unite(left: ReadonlySet<PathElement>, right: Iterable<PathElement>): Set<PathElement> {
  const result = new Set(left);
  for (const element of right) result.add(element);
  return result;
}

function intersect(
  left: ReadonlySet<PathElement>,
  right: ReadonlySet<PathElement>,
): Set<PathElement> {
  const result = new Set<PathElement>();
  for (const element of left) if (right.has(element)) result.add(element);
  return result;
}

function subtract(
  left: ReadonlySet<PathElement>,
  right: ReadonlySet<PathElement>,
): Set<PathElement> {
  const result = new Set<PathElement>();
  for (const element of left) if (!right.has(element)) result.add(element);
  return result;
}
