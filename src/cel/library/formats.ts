import {
  dns1035Problems,
  labelProblems,
  labelValueProblems,
  type NameRule,
  qualifiedNameProblems,
  subdomainProblems,
} from "../../schema/builtin-validation/names.ts";
import { matchesFormat } from "../../schema/string-format.ts";
import type { Library } from "../overload.ts";
import { ListValue, none, OpaqueValue, OptionalValue } from "../values.ts";

/** A prefix may end with a dash that the rest of the name follows. */
const prefixOf =
  (rule: NameRule): NameRule =>
  (name) =>
    rule(name.replace(/-$/, "a"));

const format =
  (name: string, problem: string): NameRule =>
  (text) =>
    matchesFormat(name, text) ? [] : [problem];

const formats: Readonly<Record<string, NameRule>> = {
  dns1123Label: labelProblems,
  dns1123Subdomain: subdomainProblems,
  dns1035Label: dns1035Problems,
  qualifiedName: (name) =>
    qualifiedNameProblems(name).map((each) =>
      each.replace(/^a qualified name/, "a valid label key"),
    ),
  dns1123LabelPrefix: prefixOf(labelProblems),
  dns1123SubdomainPrefix: prefixOf(subdomainProblems),
  dns1035LabelPrefix: prefixOf(dns1035Problems),
  labelValue: labelValueProblems,
  uri: (text) =>
    matchesFormat("uri", text) ? [] : [`parse ${JSON.stringify(text)}: invalid URI for request`],
  uuid: format("uuid", "does not match the UUID format"),
  byte: format("byte", "invalid base64"),
  date: format("date", "invalid date"),
  datetime: format("date-time", "invalid datetime"),
};

/** Formats of names and texts, with what is wrong with a text that has not got one. */
export const formatLibrary: Library = {
  ...Object.fromEntries(
    Object.keys(formats).map((name) => [
      `format.${name}() -> kubernetes.NamedFormat`,
      () => formatValue(name),
    ]),
  ),
  "format.named(string) -> optional(kubernetes.NamedFormat)": (name: string) =>
    Object.hasOwn(formats, name) ? new OptionalValue(formatValue(name)) : none,
  "[kubernetes.NamedFormat].validate(string) -> optional(list(string))": (
    value: OpaqueValue,
    text: string,
  ) => {
    const problems = formats[value.identity]?.(text) ?? [];
    return problems.length === 0 ? none : new OptionalValue(ListValue.of(problems));
  },
};

function formatValue(name: string): OpaqueValue {
  return new OpaqueValue("kubernetes.NamedFormat", name, name);
}
