import { FieldSet, insertPath } from "./field-set.ts";
import { fieldNameOf } from "./path-element.ts";
import type { PathElement } from "./path-element.ts";
import { deducedType } from "./type-node.ts";
import type { TypeNode } from "./type-node.ts";

/**
 * Brings a recorded set in line with a schema that has made a list or map atomic since: whoever
 * owned something inside it owns the whole.
 */
export function reconcileFields(set: FieldSet, type: TypeNode): FieldSet {
  if (set.reconciledWith === type) return set;
  const atomic = new FieldSet();
  findAtomic(set, type, false, [], atomic);
  const result = atomic.isEmpty ? set : set.recursiveDifference(atomic).union(atomic);
  result.reconciledWith = type;
  return result;
}

function findAtomic(
  set: FieldSet | undefined,
  type: TypeNode,
  isLeafMember: boolean,
  path: PathElement[],
  atomic: FieldSet,
): void {
  // Sets that follow each other share what did not change: it is looked at once.
  if (set !== undefined && set.reconciledWith === type) return;
  const wasEmpty = atomic.isEmpty;
  findAtomicBelow(set, type, isLeafMember, path, atomic);
  if (set !== undefined && wasEmpty && atomic.isEmpty) set.reconciledWith = type;
}

function findAtomicBelow(
  set: FieldSet | undefined,
  type: TypeNode,
  isLeafMember: boolean,
  path: PathElement[],
  atomic: FieldSet,
): void {
  if (type.map !== undefined) {
    const { map } = type;
    if (
      map.fields.size === 0 &&
      (map.element === deducedType || map.element?.scalar === "untyped")
    ) {
      return;
    }
    if (!isLeafMember && map.isAtomic) {
      if (set !== undefined && !set.isEmpty) insertPath(atomic, path);
      return;
    }
    visit(set, path, atomic, (element) => {
      const name = fieldNameOf(element);
      return (name === undefined ? undefined : map.fields.get(name)?.type) ?? map.element;
    });
    return;
  }
  if (type.scalar !== undefined || type.list === undefined) return;
  const { list } = type;
  if (!isLeafMember && list.isAtomic) insertPath(atomic, path);
  else visit(set, path, atomic, () => list.element);
}

function visit(
  set: FieldSet | undefined,
  path: PathElement[],
  atomic: FieldSet,
  typeAt: (element: PathElement) => TypeNode | undefined,
): void {
  if (set === undefined) return;
  for (const element of set.steps()) {
    const type = typeAt(element);
    if (type === undefined) continue;
    const below = set.children.get(element);
    path.push(element);
    findAtomic(below, type, set.members.has(element) && below === undefined, path, atomic);
    path.pop();
  }
}
