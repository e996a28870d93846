import { asObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import {
  type FieldError,
  duplicate,
  forbidden,
  invalid,
  notSupported,
  requiredField,
} from "../field-error.ts";
import type { NameRule } from "./names.ts";

/** Collects what is wrong with the fields of one object; `at` leads into it. */
export class Checker {
  readonly errors: FieldError[];
  readonly object: JsonObject;
  readonly path: string;

  constructor(object: JsonObject, path = "", errors: FieldError[] = []) {
    this.object = object;
    this.path = path;
    this.errors = errors;
  }

  field(key: string): string {
    return this.path === "" ? key : `${this.path}.${key}`;
  }

  get(key: string): JsonValue | undefined {
    return this.object[key] ?? undefined;
  }

  text(key: string): string {
    const value = this.object[key];
    return typeof value === "string" ? value : "";
  }

  has(key: string): boolean {
    const value = this.object[key];
    return value !== undefined && value !== null;
  }

  /** The object at a key; an empty one when it is not there. */
  at(key: string): Checker {
    return new Checker(asObject(this.object[key]) ?? {}, this.field(key), this.errors);
  }

  /** The same object under another path, where the server's differs from the place. */
  moved(path: string): Checker {
    return new Checker(this.object, path, this.errors);
  }

  /** The object at a key, when there is one. */
  maybe(key: string): Checker | undefined {
    const value = asObject(this.object[key]);
    return value === undefined ? undefined : new Checker(value, this.field(key), this.errors);
  }

  /** The texts in a list at a key. */
  texts(key: string): readonly string[] {
    const list = this.object[key];
    return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
  }

  /** The entries of a map at a key. */
  entries(key: string): readonly (readonly [name: string, value: JsonValue])[] {
    return Object.entries(asObject(this.object[key]) ?? {});
  }

  /** The objects in a list at a key. */
  items(key: string): readonly Checker[] {
    const list = this.object[key];
    if (!Array.isArray(list)) return [];
    return list.map(
      (each, index) =>
        new Checker(asObject(each) ?? {}, `${this.field(key)}[${index}]`, this.errors),
    );
  }

  require(key: string, detail = ""): boolean {
    const value = this.object[key];
    const isMissing =
      value === undefined ||
      value === null ||
      value === "" ||
      (Array.isArray(value) && value.length === 0);
    if (isMissing) this.errors.push(requiredField(this.field(key), detail));
    return !isMissing;
  }

  invalid(key: string, value: unknown, detail: string): void {
    this.errors.push(invalid(this.field(key), value, detail));
  }

  forbid(key: string, detail: string): void {
    this.errors.push(forbidden(this.field(key), detail));
  }

  /** A value among these, when there is one. */
  oneOf(key: string, allowed: readonly string[]): void {
    const value = this.get(key);
    if (value === undefined || value === "") return;
    if (typeof value === "string" && allowed.includes(value)) return;
    this.errors.push(notSupported(this.field(key), value, allowed));
  }

  /** A value among these where there is one; the empty text is none of them. */
  supported(key: string, allowed: readonly string[]): void {
    const value = this.get(key);
    if (typeof value === "string" && !allowed.includes(value))
      this.errors.push(notSupported(this.field(key), value, allowed));
  }

  /** A name that follows a rule where there is one; the empty text may break it. */
  namedIfSet(key: string, rule: NameRule): void {
    const name = this.get(key);
    if (typeof name !== "string") return;
    for (const problem of rule(name)) this.invalid(key, name, problem);
  }

  atLeast(key: string, minimum: number): void {
    const value = this.get(key);
    if (typeof value === "number" && value < minimum) {
      this.invalid(key, value, `must be greater than or equal to ${minimum}`);
    }
  }

  between(key: string, minimum: number, maximum: number): void {
    const value = this.get(key);
    if (typeof value === "number" && (value < minimum || value > maximum)) {
      this.invalid(key, value, `must be between ${minimum} and ${maximum}, inclusive`);
    }
  }

  /** A name that follows a rule, when there is one. */
  named(key: string, rule: NameRule): void {
    const name = this.text(key);
    if (name === "") return;
    for (const problem of rule(name)) this.invalid(key, name, problem);
  }

  /** A name that follows a rule and must be there. */
  requireNamed(key: string, rule: NameRule, detail = ""): void {
    if (this.require(key, detail)) this.named(key, rule);
  }

  /** A value among these; none at all is wrong as well. */
  requireOneOf(key: string, allowed: readonly string[], detail = ""): void {
    if (this.require(key, detail)) this.oneOf(key, allowed);
  }

  /** Names in a list that follow a rule. */
  eachNamed(key: string, rule: NameRule): void {
    for (const [index, name] of this.texts(key).entries()) {
      for (const problem of rule(name)) this.invalid(`${key}[${index}]`, name, problem);
    }
  }

  /** Among objects of a list, the values of a field are different. */
  unique(list: string, key: string): void {
    const seen = new Set<string>();
    for (const item of this.items(list)) {
      const value = item.text(key);
      if (seen.has(value)) item.add(duplicate(item.field(key), value));
      seen.add(value);
    }
  }

  add(error: FieldError): void {
    this.errors.push(error);
  }
}
