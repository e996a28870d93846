import type { ESTree } from "rolldown/utils";
import { EditList } from "./edit-list.ts";
import type { RuntimeFunction } from "../../../resources/provisioned/index.ts";

/** A range of the source, as every node of the syntax tree has. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * The text of a module under rewriting. Edits are made from the outside in: what wraps an outer
 * expression is inserted before what wraps an inner one at the same place.
 */
export class ModuleText {
  readonly source: string;
  /** By which the runtime finds the source again. */
  readonly key: string;
  readonly edits: EditList;
  readonly #prefix: string;
  readonly #used = new Map<RuntimeFunction, string>();
  #names = 0;

  constructor(source: string, key: string) {
    this.source = source;
    this.key = key;
    this.edits = new EditList(source);
    let prefix = "$k";
    while (source.includes(prefix)) prefix += "k";
    this.#prefix = prefix;
  }

  /** The name by which the module calls a function of the runtime: short, as it stands everywhere. */
  call(name: RuntimeFunction): string {
    let local = this.#used.get(name);
    if (local === undefined) {
      local = `${this.#prefix}${String.fromCharCode(firstLetter + this.#used.size)}`;
      this.#used.set(name, local);
    }
    return local;
  }

  get used(): ReadonlyMap<RuntimeFunction, string> {
    return this.#used;
  }

  /** The function by which the module tells who it is. */
  get module(): string {
    return this.#prefix;
  }

  /** A name that nothing else in the module has. */
  freshName(): string {
    return `${this.#prefix}${++this.#names}`;
  }

  /** A variable that holds something between two steps with no code of the program in between. */
  get temporary(): string {
    return (this.#temporary ??= this.freshName());
  }
  #temporary: string | undefined;

  /** The declarations that the rewritten code needs besides the functions of the runtime. */
  get declarations(): string {
    return this.#temporary === undefined ? "" : `var ${this.#temporary};`;
  }

  place({ start, end }: Range): string {
    return `${start},${end},${this.module}`;
  }

  wrap({ start, end }: Range, open: string, close: string): void {
    this.edits.wrap(start, end, open, close);
  }

  /** Replaces what stands between two nodes; nothing else may be edited inside. */
  replace(start: number, end: number, text: string): void {
    this.edits.replace(start, end, text);
  }

  slice({ start, end }: Range): string {
    return this.source.slice(start, end);
  }

  /**
   * Turns `object.name` and `object[key]` into two arguments: `between` stands after the object,
   * `behind` after the key.
   */
  replaceMember(node: ESTree.MemberExpression, between: string, behind: string): void {
    const { object, property } = node;
    if (node.computed) {
      this.replace(object.end, property.start, between);
      this.replace(property.end, node.end, behind);
    } else {
      const key = JSON.stringify((property as ESTree.IdentifierName).name);
      this.replace(object.end, node.end, `${between}${key}${behind}`);
    }
  }

  /** Puts further arguments before those of a call: all from what is called to the parenthesis goes. */
  replaceCallOpening(node: ESTree.CallExpression, text: string): void {
    this.replaceToParenthesis(node, node.arguments.length === 0 ? text : `${text},`);
  }

  /** Replaces all from what is called to the parenthesis. */
  replaceToParenthesis(node: ESTree.CallExpression, text: string): void {
    this.replace(node.callee.end, this.parenthesisAfter(node.callee.end) + 1, text);
  }

  /** The place of the parenthesis that opens the arguments, behind `?.` and types if there are. */
  parenthesisAfter(end: number): number {
    let at = this.skipBlanks(end);
    if (this.source.startsWith("?.", at)) at = this.skipBlanks(at + 2);
    if (this.source[at] !== "<") return at;
    let depth = 0;
    do {
      const character = this.source[at++];
      if (character === "<") depth++;
      else if (character === ">" && this.source[at - 2] !== "=") depth--;
    } while (depth > 0 && at < this.source.length);
    return this.skipBlanks(at);
  }

  /** The place of the next character that is neither blank nor part of a comment. */
  skipBlanks(from: number): number {
    blanks.lastIndex = from;
    blanks.exec(this.source);
    return blanks.lastIndex;
  }

  lineAndColumn(offset: number): { readonly line: number; readonly column: number } {
    const starts = (this.#lineStarts ??= lineStartsOf(this.source));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
  }
  #lineStarts: readonly number[] | undefined;
}

const firstLetter = 97;
const blanks = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*/y;

function lineStartsOf(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
