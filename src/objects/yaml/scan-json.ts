import { CHOMPING_MODE, COLLECTION_STYLE, EVENT_ID, SCALAR_STYLE } from "js-yaml";
import type { Event } from "js-yaml";
import type { ParsedEvents } from "./parse-events.ts";

/**
 * Scans JSON values that follow each other into the same events that the YAML parser gives, so that
 * duplicate keys are found and every field has a place, which `JSON.parse` cannot do.
 */
export function scanJson(text: string, start: number, deepest: number): ParsedEvents {
  const events: Event[] = [];
  const open: ("object" | "array")[] = [];
  let position = skipSpace(text, start);
  let expect: Expectation = "document";
  const problem = (message: string): ParsedEvents => ({
    kind: "problem",
    problem: { code: "objects.json-syntax", offset: Math.min(position, text.length), message },
  });
  const endValue = (): Expectation => {
    if (open.length > 0) return "comma or end";
    events.push({ type: EVENT_ID.POP });
    return "document";
  };

  while (position < text.length) {
    const char = text.charAt(position);
    if (expect === "document") {
      events.push(documentEvent());
      expect = "value";
    }
    if (char === "}" || char === "]") {
      const container = char === "}" ? "object" : "array";
      const closable =
        expect === "comma or end" || expect === "first key" || expect === "first value";
      if (open.at(-1) !== container || !closable) return problem(`unexpected ${char}`);
      open.pop();
      events.push({ type: EVENT_ID.POP });
      expect = endValue();
      position++;
    } else if (expect === "comma or end") {
      if (char !== ",") return problem("a comma or the end of the list or object is missing");
      expect = open.at(-1) === "object" ? "key" : "value";
      position++;
    } else if (expect === "colon") {
      if (char !== ":") return problem("a colon is missing after a key");
      expect = "value";
      position++;
    } else if (expect === "key" || expect === "first key") {
      const end = char === '"' ? endOfString(text, position) : undefined;
      if (end === undefined) return problem("a key in double quotes is expected");
      events.push(stringEvent(text, position, end));
      expect = "colon";
      position = end;
    } else if (char === "{" || char === "[") {
      if (open.length >= deepest) {
        return {
          kind: "problem",
          problem: {
            code: "objects.nested-too-deep",
            offset: position,
            message: `lists and objects are nested deeper than ${deepest} levels`,
          },
        };
      }
      events.push(collectionEvent(char, position));
      open.push(char === "{" ? "object" : "array");
      expect = char === "{" ? "first key" : "first value";
      position++;
    } else if (char === '"') {
      const end = endOfString(text, position);
      if (end === undefined) return problem("a string is not closed, or has a bad character");
      events.push(stringEvent(text, position, end));
      position = end;
      expect = endValue();
    } else {
      literal.lastIndex = position;
      const match = literal.exec(text);
      if (match === null) return problem("a value is expected");
      const end = position + match[0].length;
      events.push(scalarEvent(position, end, SCALAR_STYLE.PLAIN, true));
      position = end;
      expect = endValue();
    }
    position = skipSpace(text, position);
  }
  return open.length > 0 || expect !== "document"
    ? problem("the text ends inside a value")
    : { kind: "events", events };
}

type Expectation =
  | "document"
  | "value"
  | "first value"
  | "key"
  | "first key"
  | "colon"
  | "comma or end";

const literal =
  /(?:true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?)(?![\w.+-])/y;
const space = /[ \t\r\n]*/y;
// oxlint-disable-next-line no-control-regex -- JSON forbids control characters in strings
const stringBody = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

// oxlint-disable-next-line no-control-regex -- as above
const notPlain = /[\\\u0000-\u001f]/;

function skipSpace(text: string, position: number): number {
  space.lastIndex = position;
  space.exec(text);
  return space.lastIndex;
}

function endOfString(text: string, position: number): number | undefined {
  // A plain search is enough for nearly every string, and never meets a limit of the engine.
  const close = text.indexOf('"', position + 1);
  if (close === -1) return undefined;
  if (!notPlain.test(text.slice(position + 1, close))) return close + 1;
  stringBody.lastIndex = position;
  return stringBody.test(text) ? stringBody.lastIndex : undefined;
}

const none = { anchorStart: -1, anchorEnd: -1, tagStart: -1, tagEnd: -1 } as const;

function documentEvent(): Event {
  return { type: EVENT_ID.DOCUMENT, explicitStart: false, explicitEnd: false, directives: [] };
}

function collectionEvent(char: "{" | "[", start: number): Event {
  const type = char === "{" ? EVENT_ID.MAPPING : EVENT_ID.SEQUENCE;
  return { type, start, ...none, style: COLLECTION_STYLE.FLOW };
}

function stringEvent(text: string, start: number, end: number): Event {
  const escaped = text.slice(start, end).includes("\\");
  return scalarEvent(start + 1, end - 1, SCALAR_STYLE.DOUBLE_QUOTED, !escaped);
}

function scalarEvent(
  valueStart: number,
  valueEnd: number,
  style: typeof SCALAR_STYLE.PLAIN | typeof SCALAR_STYLE.DOUBLE_QUOTED,
  fast: boolean,
): Event {
  const chomping = CHOMPING_MODE.CLIP;
  return {
    type: EVENT_ID.SCALAR,
    valueStart,
    valueEnd,
    ...none,
    style,
    chomping,
    indent: -1,
    fast,
  };
}
