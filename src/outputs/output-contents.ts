import { createHash } from "node:crypto";
import type { KubernetesObject } from "../objects/index.ts";

/** What a Secret is to hold; text is plain here. */
export interface SecretContents {
  readonly kind: "Secret";
  readonly data: Readonly<Record<string, string | Uint8Array>>;
  /** `Opaque` unless given. */
  readonly type?: string | undefined;
}

/** What a ConfigMap is to hold. */
export interface ConfigMapContents {
  readonly kind: "ConfigMap";
  readonly data?: Readonly<Record<string, string>> | undefined;
  readonly binaryData?: Readonly<Record<string, Uint8Array>> | undefined;
}

export type OutputContents = SecretContents | ConfigMapContents;

type Texts = Readonly<Record<string, string>>;

/** The fields of an object that hold its contents, as the server has them. */
export interface ContentFields {
  readonly data?: Texts;
  readonly binaryData?: Texts;
  readonly type?: string;
}

export function contentFields(contents: OutputContents): ContentFields {
  if (contents.kind === "Secret")
    return { ...entries("data", contents.data), type: contents.type ?? "Opaque" };
  const { data = {}, binaryData = {} } = contents;
  return {
    ...(Object.keys(data).length === 0 ? {} : { data }),
    ...entries("binaryData", binaryData),
  };
}

function entries<Field extends "data" | "binaryData">(
  field: Field,
  values: Readonly<Record<string, string | Uint8Array>>,
): { readonly [Each in Field]?: Texts } {
  const encoded = Object.entries(values).map(
    ([key, value]) => [key, Buffer.from(value as Uint8Array).toString("base64")] as const,
  );
  return (encoded.length === 0 ? {} : { [field]: Object.fromEntries(encoded) }) as {
    readonly [Each in Field]?: Texts;
  };
}

/** The contents of an object of the cluster, in the same form. */
export function contentFieldsOf(object: KubernetesObject): ContentFields {
  const { data, binaryData, type } = object as unknown as ContentFields;
  return {
    ...(data === undefined || Object.keys(data).length === 0 ? {} : { data }),
    ...(binaryData === undefined || Object.keys(binaryData).length === 0 ? {} : { binaryData }),
    ...(object.kind === "Secret" ? { type: type ?? "Opaque" } : {}),
  };
}

export function sameContents(left: ContentFields, right: ContentFields): boolean {
  return canonical(left) === canonical(right);
}

const hashLength = 20;

/**
 * A short text that is the same for the same contents, whatever the order of their keys: data, binary
 * data, kind and type count.
 *
 * @example
 * contentsHash({ kind: "ConfigMap", data: { host: "db", port: "5432" } });
 * // "918c7bcc12e54d191531"
 */
export function contentsHash(contents: OutputContents): string {
  const text = `${contents.kind} ${canonical(contentFields(contents))}`;
  return createHash("sha256").update(text).digest("hex").slice(0, hashLength);
}

function canonical({ data = {}, binaryData = {}, type = "" }: ContentFields): string {
  const sorted = (texts: Texts): readonly (readonly [string, string])[] =>
    Object.entries(texts).sort(([left], [right]) => (left < right ? -1 : 1));
  return JSON.stringify([sorted(data), sorted(binaryData), type]);
}
