import type { MagicString } from "magic-string";
import { loadEditor } from "./load-tools.ts";

/** What stands at one place of the source besides the source. */
interface Edit {
  /** Belongs to what ends here. */
  before: string;
  /** Belongs to what begins here. */
  after: string;
  /** Replaces the source from here to `end`. */
  replacement: { readonly end: number; readonly text: string } | undefined;
}

/**
 * Insertions and replacements in a text, by their places. Writing the result is quick; the map back
 * to the source costs more than all else and is made only when somebody asks for it.
 */
export class EditList {
  readonly #source: string;
  readonly #edits = new Map<number, Edit>();

  constructor(source: string) {
    this.#source = source;
  }

  /** Puts texts around a range: outside of what is put there later. */
  wrap(start: number, end: number, open: string, close: string): void {
    this.open(start, open);
    this.close(end, close);
  }

  /** Puts text before what begins at a place, behind what was put there before. */
  open(at: number, text: string): void {
    this.#at(at).after += text;
  }

  /** Puts text behind what ends at a place, before what was put there before. */
  close(at: number, text: string): void {
    const edit = this.#at(at);
    edit.before = text + edit.before;
  }

  /** Puts text at a place, behind all that belongs to what ends there. */
  insert(at: number, text: string): void {
    this.#at(at).before += text;
  }

  replace(start: number, end: number, text: string): void {
    if (start === end) this.insert(start, text);
    else this.#at(start).replacement = { end, text };
  }

  toString(): string {
    let result = "";
    let from = 0;
    for (const [at, { before, after, replacement }] of this.#ordered()) {
      result += this.#source.slice(from, at) + before + after;
      from = at;
      if (replacement !== undefined) {
        result += replacement.text;
        from = replacement.end;
      }
    }
    return result + this.#source.slice(from);
  }

  toMap(file: string): ReturnType<MagicString["generateMap"]> {
    const text: MagicString = new (loadEditor().MagicString)(this.#source);
    for (const [at, { before, after, replacement }] of this.#ordered()) {
      // What is put before an expression counts as its beginning: stacks show the place of the call in there.
      const { end, text: rest } = replacement ?? {
        end: at + 1,
        text: this.#source.slice(at, at + 1),
      };
      if (after !== "" || replacement !== undefined) text.update(at, end, after + rest);
      if (before !== "") text.appendLeft(at, before);
    }
    return text.generateMap({ source: file, includeContent: true, hires: "boundary" });
  }

  #at(place: number): Edit {
    let edit = this.#edits.get(place);
    if (edit === undefined) {
      edit = { before: "", after: "", replacement: undefined };
      this.#edits.set(place, edit);
    }
    return edit;
  }

  #ordered(): readonly (readonly [at: number, edit: Edit])[] {
    return [...this.#edits].sort(([left], [right]) => left - right);
  }
}
