import { COLLECTION_STYLE, EVENT_ID, getScalarValue, SCALAR_STYLE } from "js-yaml";
import type { Event } from "js-yaml";
import { keyText } from "./key-text.ts";
import { resolveScalar } from "./resolve-scalar.ts";

/** Field names and list indexes from the top of a document down to a value. */
export type FieldPath = readonly (string | number)[];

/** Where a field stands: the key with its value if that is on the same line, else the key alone. */
export interface PathLocation {
  readonly start: number;
  readonly end: number;
}

/**
 * Finds a path in one document. A field that is not there is located at the deepest one
 * above it that is, which is where it would have to be added.
 */
export function locatePath(text: string, tree: DocumentTree, path: FieldPath): PathLocation {
  let node = tree.root;
  if (node === undefined) return { start: 0, end: 0 };
  let location: PathLocation = { start: node.start, end: node.end };
  for (const step of path) {
    const found = stepInto(node, step, tree.anchors);
    if (found === undefined) break;
    location = found.location;
    node = found.node;
  }
  const lineEnd = text.indexOf("\n", location.start);
  return lineEnd !== -1 && location.end > lineEnd ? { ...location, end: lineEnd } : location;
}

interface TreeNode {
  readonly kind: "scalar" | "mapping" | "sequence" | "alias";
  readonly start: number;
  end: number;
  readonly name?: string;
  readonly pairs?: TreePair[];
  readonly items?: TreeNode[];
}

interface TreePair {
  readonly key: string;
  readonly start: number;
  readonly end: number;
  readonly value: TreeNode;
}

/** The nodes of one document with their places. */
export interface DocumentTree {
  readonly root: TreeNode | undefined;
  readonly anchors: ReadonlyMap<string, TreeNode>;
}

/** Reads the trees of all documents that the events describe. */
export function readTrees(text: string, events: readonly Event[]): readonly DocumentTree[] {
  return events.flatMap((event, index) =>
    event.type === EVENT_ID.DOCUMENT ? [readTree(text, events, index + 1)] : [],
  );
}

function readTree(text: string, events: readonly Event[], first: number): DocumentTree {
  let index = first;
  const anchors = new Map<string, TreeNode>();
  const readNode = (): TreeNode | undefined => {
    const event = events[index++];
    if (event === undefined || event.type === EVENT_ID.POP || event.type === EVENT_ID.DOCUMENT) {
      return undefined;
    }
    if (event.type === EVENT_ID.ALIAS) {
      const name = text.slice(event.anchorStart, event.anchorEnd);
      return { kind: "alias", start: event.anchorStart - 1, end: event.anchorEnd, name };
    }
    const node =
      event.type === EVENT_ID.SCALAR ? scalarNode(text, event) : collectionNode(text, event);
    if (event.anchorStart !== -1) anchors.set(text.slice(event.anchorStart, event.anchorEnd), node);
    for (let item = readChild(node); item !== undefined; item = readChild(node)) {
      node.items?.push(item);
    }
    return node;
  };
  const readChild = (node: TreeNode): TreeNode | undefined => {
    if (node.kind === "scalar") return undefined;
    const first = readNode();
    if (first === undefined || node.pairs === undefined) return first;
    const value = readNode();
    if (value === undefined) return undefined;
    node.pairs.push({ key: first.name ?? "", start: first.start, end: first.end, value });
    return first;
  };
  return { root: readNode(), anchors };
}

function scalarNode(
  text: string,
  event: Extract<Event, { type: typeof EVENT_ID.SCALAR }>,
): TreeNode {
  const value = getScalarValue(text, event);
  const plain = event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1;
  const key = keyText(plain ? resolveScalar(value) : value);
  const quotes =
    event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
      ? 1
      : 0;
  const block =
    event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK;
  const start =
    event.valueStart === -1
      ? Math.max(event.tagStart, event.anchorStart)
      : event.valueStart - quotes;
  const end = block || event.valueEnd === -1 ? start : event.valueEnd + quotes;
  return { kind: "scalar", start, end, name: key.kind === "key" ? key.text : "" };
}

function collectionNode(text: string, event: Extract<Event, { start: number }>): TreeNode {
  const { start } = event;
  const lineEnd = text.indexOf("\n", start);
  const end =
    event.style === COLLECTION_STYLE.FLOW ? start + 1 : lineEnd === -1 ? text.length : lineEnd;
  return event.type === EVENT_ID.MAPPING
    ? { kind: "mapping", start, end, pairs: [] }
    : { kind: "sequence", start, end, items: [] };
}

interface Found {
  readonly node: TreeNode;
  readonly location: PathLocation;
}

const mostHops = 100;

function stepInto(
  from: TreeNode,
  step: string | number,
  anchors: ReadonlyMap<string, TreeNode>,
  hops = 0,
): Found | undefined {
  const node = dereference(from, anchors);
  if (typeof step === "number") {
    const item = node?.items?.[step];
    return item === undefined
      ? undefined
      : { node: item, location: { start: item.start, end: item.end } };
  }
  const own = node?.pairs?.findLast((pair) => pair.key === step);
  if (own !== undefined) return { node: own.value, location: pairLocation(own) };
  // An anchor that is defined twice can make a merge seem to reach itself here.
  if (hops > mostHops) return undefined;
  for (const merge of node?.pairs?.filter((pair) => pair.key === "<<") ?? []) {
    const target = dereference(merge.value, anchors);
    for (const source of target?.items ?? (target === undefined ? [] : [target])) {
      const found = stepInto(source, step, anchors, hops + 1);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function dereference(node: TreeNode, anchors: ReadonlyMap<string, TreeNode>): TreeNode | undefined {
  let current: TreeNode | undefined = node;
  for (let hop = 0; hop < mostHops && current?.kind === "alias"; hop++) {
    current = anchors.get(current.name ?? "");
  }
  return current;
}

function pairLocation({ start, end, value }: TreePair): PathLocation {
  const valueIsText = value.kind === "scalar" || value.kind === "alias";
  return { start, end: valueIsText && value.end > end ? value.end : end };
}
