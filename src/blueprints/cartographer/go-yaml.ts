import { isJsonObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import { writeYamlValue } from "../../objects/index.ts";

const step = 4;

/** A value as YAML in the layout of Cartographer's previews: four columns a level, lists below their key. */
export function goYaml(value: JsonValue): string {
  if (isBlock(value)) return `${blockLines(value, 0).join("\n")}\n`;
  return `${inline(value, 0)}\n`;
}

function isBlock(value: JsonValue): value is JsonObject | JsonValue[] {
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) && Object.keys(value).length > 0;
}

/** The lines of a map or a list; the first one is without its indentation. */
function blockLines(value: JsonObject | readonly JsonValue[], indent: number): readonly string[] {
  const lines = isList(value)
    ? value.map((item) => `- ${isBlock(item) ? nested(item, indent + 2) : inline(item, indent)}`)
    : Object.entries(value)
        .toSorted(([one], [other]) => byKey(one, other))
        .map(([key, each]) => `${inline(key, indent)}:${valueOf(each ?? null, indent)}`);
  return lines.map((line, index) => (index === 0 ? line : `${" ".repeat(indent)}${line}`));
}

function isList(value: JsonObject | readonly JsonValue[]): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function valueOf(value: JsonValue, indent: number): string {
  if (!isBlock(value)) return ` ${inline(value, indent)}`;
  const inner = nextIndent(indent);
  return `\n${" ".repeat(inner)}${nested(value, inner)}`;
}

function nested(value: JsonObject | readonly JsonValue[], indent: number): string {
  return blockLines(value, indent).join("\n");
}

/** The next multiple of the step, also from within a list, whose items are two columns further in. */
function nextIndent(indent: number): number {
  return step * Math.floor((indent + step) / step);
}

/** A value on the line of its key; text of several lines begins there. */
function inline(value: JsonValue, indent: number): string {
  const written = writeYamlValue(value).trimEnd();
  if (typeof value !== "string") return written;
  if (written.startsWith("|")) {
    const head = written.slice(0, written.indexOf("\n")).replace(/\d/, String(step));
    const margin = " ".repeat(nextIndent(indent));
    const lines = value.replace(/\n$/, "").split("\n");
    return [head, ...lines.map((line) => (line === "" ? "" : margin + line))].join("\n");
  }
  // Text that would be read as another type is in double quotes, any other in single ones.
  const isPlainQuoted = written.startsWith('"') && value !== "" && !written.includes("\\");
  return isPlainQuoted && !looksTyped(value) ? `'${value.replaceAll("'", "''")}'` : written;
}

function looksTyped(text: string): boolean {
  return /^(?:[-+.\d].*|true|false|yes|no|on|off|y|n|null|~)$/i.test(text);
}

/** Numbers within keys are compared as numbers: a2 comes before a10. */
function byKey(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}
