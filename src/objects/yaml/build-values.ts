import { EVENT_ID, getScalarValue, SCALAR_STYLE } from "js-yaml";
import type { Event, ScalarEvent } from "js-yaml";
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonObject,
  setField,
} from "../../json/index.ts";
import { copyJson } from "./copy-json.ts";
import { formatFloatKey } from "./format-float-key.ts";
import { keyText } from "./key-text.ts";
import { resolveTagged } from "./resolve-tagged.ts";
import { resolveInteger, resolveScalar } from "./resolve-scalar.ts";
import type { TextProblem } from "./text-problem.ts";

export interface BuiltValues {
  /** One per document; null for one that is empty or nothing but comments. */
  readonly values: readonly JsonValue[];
  readonly problems: readonly TextProblem[];
  /** How many values aliases made, in all documents. */
  readonly aliasedValues: number;
}

/** As many values as kubectl lets aliases make in one document. */
export const mostAliasedValues = 400_000;

/**
 * Builds the values that events describe, as kubectl does: keys become strings, every alias becomes
 * a copy, `<<` sets keys at its place. All problems are collected; values are then not to be used.
 */
export function buildValues(text: string, events: readonly Event[]): BuiltValues {
  return new ValueBuilder(text).build(events);
}

interface MappingFrame {
  readonly kind: "mapping";
  readonly value: JsonObject;
  readonly start: number;
  readonly anchor: string | undefined;
  key: string | undefined;
  keyIsMerge: boolean;
  /** False while the value of the pair is awaited. */
  awaitsKey: boolean;
  /** Keys that came by a merge, and may be set again. */
  merged: Set<string> | undefined;
}

interface SequenceFrame {
  readonly kind: "sequence";
  readonly value: JsonArray;
  readonly start: number;
  readonly anchor: string | undefined;
}

type Frame = MappingFrame | SequenceFrame;

/** An anchor whose value is still being read can not be used yet. */
const unfinished = Symbol("unfinished");

class ValueBuilder {
  readonly #text: string;
  readonly #values: JsonValue[] = [];
  readonly #problems: TextProblem[] = [];
  #frames: Frame[] = [];
  #anchors = new Map<string, JsonValue | typeof unfinished>();
  #aliasedValues = 0;
  #allAliasedValues = 0;
  #root: JsonValue = null;

  constructor(text: string) {
    this.#text = text;
  }

  build(events: readonly Event[]): BuiltValues {
    for (const event of events) {
      switch (event.type) {
        case EVENT_ID.DOCUMENT:
          this.#startDocument();
          break;
        case EVENT_ID.SCALAR:
          this.#addScalar(event);
          break;
        case EVENT_ID.MAPPING:
        case EVENT_ID.SEQUENCE:
          this.#open(event);
          break;
        case EVENT_ID.ALIAS:
          this.#addAlias(event.anchorStart, event.anchorEnd);
          break;
        case EVENT_ID.POP:
          this.#close();
          break;
        default:
          event satisfies never;
      }
    }
    return {
      values: this.#values,
      problems: this.#problems,
      aliasedValues: this.#allAliasedValues,
    };
  }

  #startDocument(): void {
    this.#anchors = new Map();
    this.#aliasedValues = 0;
    this.#root = null;
  }

  #open(event: Extract<Event, { start: number }>): void {
    const anchor = this.#anchorOf(event);
    if (anchor !== undefined) this.#anchors.set(anchor, unfinished);
    const { start } = event;
    this.#frames.push(
      event.type === EVENT_ID.SEQUENCE
        ? { kind: "sequence", value: [], start, anchor }
        : {
            kind: "mapping",
            value: {},
            start,
            anchor,
            key: undefined,
            keyIsMerge: false,
            awaitsKey: true,
            merged: undefined,
          },
    );
  }

  #close(): void {
    const frame = this.#frames.pop();
    if (frame === undefined) {
      this.#values.push(this.#root);
      return;
    }
    if (frame.anchor !== undefined) this.#anchors.set(frame.anchor, frame.value);
    this.#add(frame.value, frame.start, frame.kind);
  }

  #addScalar(event: ScalarEvent): void {
    const text = getScalarValue(this.#text, event);
    const tagged = event.tagStart !== -1;
    const plain = event.style === SCALAR_STYLE.PLAIN;
    const offset =
      event.valueStart === -1 ? Math.max(event.tagStart, event.anchorStart, 0) : event.valueStart;
    const frame = this.#frames.at(-1);
    const tag = tagged ? this.#text.slice(event.tagStart, event.tagEnd) : "";
    const isKey = frame?.kind === "mapping" && frame.awaitsKey;
    if (isKey && text === "<<" && (tagged ? tag === "!!merge" : plain)) {
      frame.keyIsMerge = true;
      frame.awaitsKey = false;
      return;
    }
    let value: ReturnType<typeof resolveScalar>;
    if (tagged) {
      const resolved = resolveTagged(tag, text);
      if (resolved.kind === "problem") {
        this.#problem("objects.invalid-value", event.tagStart, resolved.message);
      }
      value = resolved.kind === "value" ? resolved.value : text;
    } else {
      value = plain ? resolveScalar(text) : text;
    }
    if (isKey && typeof value === "number" && resolveInteger(text) === undefined) {
      value = formatFloatKey(value);
    }
    if (typeof value === "number" && !Number.isFinite(value)) {
      const hint = "Quote it if it is meant as text.";
      this.#problem(
        "objects.invalid-value",
        offset,
        "JSON has no number for infinity or NaN",
        hint,
      );
      value = 0;
    }
    const anchor = this.#anchorOf(event);
    if (anchor !== undefined) this.#anchors.set(anchor, value);
    this.#add(value, offset, "scalar");
  }

  #addAlias(start: number, end: number): void {
    const name = this.#text.slice(start, end);
    const target = this.#anchors.get(name);
    if (target === undefined || target === unfinished) {
      const message =
        target === undefined
          ? "the alias names no anchor that was defined before"
          : "the alias stands inside of its own anchor";
      const hint = target === undefined ? "Quote a value that starts with `*`." : undefined;
      this.#problem("objects.invalid-alias", start - 1, message, hint, name);
      this.#add(null, start, "unknown");
      return;
    }
    const copied = copyJson(target, mostAliasedValues - this.#aliasedValues);
    if (copied.kind === "too many") {
      if (this.#aliasedValues <= mostAliasedValues) {
        const message = `the aliases of this document expand to more than ${mostAliasedValues} values`;
        this.#problem("objects.too-many-aliases", start - 1, message);
      }
      this.#aliasedValues = mostAliasedValues + 1;
      this.#add(null, start, "unknown");
      return;
    }
    this.#aliasedValues += copied.count;
    this.#allAliasedValues += copied.count;
    this.#add(copied.value, start, isJsonObject(copied.value) ? "mapping" : "alias");
  }

  #add(value: JsonValue, offset: number, origin: Origin): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      this.#root = value;
    } else if (frame.kind === "sequence") {
      frame.value.push(value);
    } else if (frame.awaitsKey) {
      this.#setKey(frame, value, offset);
    } else {
      frame.awaitsKey = true;
      if (frame.keyIsMerge) {
        frame.keyIsMerge = false;
        this.#merge(frame, value, offset, origin);
      } else if (frame.key !== undefined) {
        setField(frame.value, frame.key, value);
      }
    }
  }

  #setKey(frame: MappingFrame, value: JsonValue, offset: number): void {
    frame.awaitsKey = false;
    const key = keyText(value);
    frame.key = key.kind === "key" ? key.text : undefined;
    if (key.kind === "invalid") {
      const unrendered =
        this.#text.startsWith("{{", offset) || this.#text.startsWith("{{", offset - 1);
      this.#problem(
        "objects.invalid-key",
        offset,
        `${key.what} cannot be a key`,
        unrendered ? "This looks like a template; render it first." : undefined,
      );
    } else if (Object.hasOwn(frame.value, key.text) && frame.merged?.has(key.text) !== true) {
      const hint = key.text === "apiVersion" ? joinedObjects : undefined;
      this.#problem("objects.duplicate-key", offset, "a key occurs twice", hint, key.text);
    } else {
      frame.merged?.delete(key.text);
    }
  }

  #merge(frame: MappingFrame, value: JsonValue, offset: number, origin: Origin): void {
    if (origin === "unknown") return;
    const sources = origin === "sequence" && Array.isArray(value) ? value.toReversed() : [value];
    for (const source of sources) {
      if (!isJsonObject(source)) {
        this.#problem(
          "objects.invalid-alias",
          offset,
          "`<<` wants a mapping or a list of mappings",
        );
        return;
      }
      for (const [key, merged] of Object.entries(source)) {
        setField(frame.value, key, merged);
        (frame.merged ??= new Set()).add(key);
      }
    }
  }

  #anchorOf(event: { anchorStart: number; anchorEnd: number }): string | undefined {
    return event.anchorStart === -1
      ? undefined
      : this.#text.slice(event.anchorStart, event.anchorEnd);
  }

  #problem(
    code: TextProblem["code"],
    offset: number,
    message: string,
    hint?: string,
    quote?: string,
  ): void {
    this.#problems.push({ code, offset, message, hint, quote });
  }
}

/** `cat` of files without a separator at their ends makes one object of two. */
const joinedObjects = "If two objects follow each other here, write a line `---` between them.";

type Origin = "mapping" | "sequence" | "scalar" | "alias" | "unknown";
