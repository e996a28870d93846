import type { SourceRange } from "../../diagnostics/index.ts";
import { locatePath, readTrees } from "../yaml/locate-path.ts";
import type { DocumentTree, FieldPath } from "../yaml/locate-path.ts";
import { parseEvents } from "../yaml/parse-events.ts";
import { splitDocuments } from "../yaml/split-documents.ts";
import type { DocumentSpan } from "../yaml/split-documents.ts";
import { looksSecret, maskExcerptLine, mentionsSecret } from "./mask-excerpt.ts";
import type { SourceText } from "./source-text.ts";

const contextLines = 2;
const longestExcerptLine = 200;

/**
 * The part of a text between two document markers, and where its fields are written. Nothing is
 * computed before the first question: of a thousand documents an error needs one.
 */
export class SourceDocument {
  readonly source: SourceText;
  readonly start: number;
  readonly end: number;
  readonly json: boolean;
  readonly #previousStart: number;
  #secret: boolean | undefined;
  #trees: readonly DocumentTree[] | undefined;

  constructor(source: SourceText, span: DocumentSpan, previousStart: number, json: boolean) {
    this.source = source;
    this.#previousStart = previousStart;
    this.start = span.start;
    this.end = span.end;
    this.json = json;
  }

  get text(): string {
    return this.source.text.slice(this.start, this.end);
  }

  /** Whether this may be a Secret, whose values must not be shown. */
  get secret(): boolean {
    return (this.#secret ??= looksSecret(this.text));
  }

  /**
   * To be told of a document that does not parse: then its markers may be damaged too, and it may
   * hold a part of the Secret before or after it.
   */
  markBroken(): void {
    const { text } = this.source;
    const next = splitDocuments(text.slice(this.end)).next();
    const nextEnd = next.done === true ? this.end : this.end + next.value.end;
    const around = text.slice(this.#previousStart, nextEnd);
    this.#secret = this.secret || mentionsSecret(around);
  }

  /** Where a field is written; `index` says which of the documents between the two markers. */
  locate(index: number, path: FieldPath): SourceRange {
    const { text } = this;
    this.#trees ??= this.#readTrees(text);
    const tree = this.#trees[index];
    if (tree === undefined) return this.range(0);
    const { start, end } = locatePath(text, tree, path);
    return this.range(start, end);
  }

  /**
   * The range between two offsets. Its excerpt stays inside of this document, and shows no value if
   * the document may be a Secret: a frame ends up in logs.
   */
  range(start: number, end?: number): SourceRange {
    const from = this.#position(start);
    return {
      file: this.source.file,
      start: from,
      ...(end === undefined || this.secret ? {} : { end: this.#position(end) }),
      excerpt: this.#excerpt(from.line - 1),
    };
  }

  #position(offset: number): { readonly line: number; readonly column: number } {
    const absolute = Math.min(this.start + offset, this.source.text.length);
    const line = this.source.lineAt(absolute);
    return { line: line + 1, column: absolute - this.source.lineStart(line) + 1 };
  }

  #excerpt(middle: number): { readonly firstLine: number; readonly lines: readonly string[] } {
    const first = Math.max(this.source.lineAt(this.start), middle - contextLines);
    const lines: string[] = [];
    for (let line = first; line <= middle + contextLines; line++) {
      const start = Math.max(this.source.lineStart(line), this.start);
      const end = Math.min(this.source.lineStart(line + 1), this.end);
      if (start >= end) break;
      const text = this.source.text.slice(start, end).replace(/\r?\n$/, "");
      const shown = this.secret ? maskExcerptLine(text) : text;
      lines.push(shown.slice(0, longestExcerptLine));
    }
    return { firstLine: first + 1, lines };
  }

  #readTrees(text: string): readonly DocumentTree[] {
    const parsed = parseEvents(text, { json: this.json });
    return parsed.kind === "events" ? readTrees(text, parsed.events) : [];
  }
}
