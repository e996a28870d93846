import { asObject, type JsonObject, type JsonValue } from "../../json/index.ts";
import { requiredField, tooLong } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { configKeyProblems } from "./names.ts";

export function validateConfigMap(object: Checker): void {
  const binary = asObject(object.get("binaryData")) ?? {};
  for (const key of Object.keys(asObject(object.get("data")) ?? {})) {
    reportKey(object, "data", key);
    if (Object.hasOwn(binary, key)) {
      object.invalid(`data[${key}]`, key, "duplicate of key present in binaryData");
    }
  }
  for (const key of Object.keys(binary)) reportKey(object, "binaryData", key);
  const data = asObject(object.get("data")) ?? {};
  if (bytesIn(data, "utf8") + bytesIn(binary, "base64") > sizeLimit)
    object.add(tooLong("[]", sizeLimit));
}

/** All values of a ConfigMap or Secret together, in bytes. */
const sizeLimit = 1_048_576;

/** Keys that a Secret of a type must have. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  "kubernetes.io/tls": ["tls.crt", "tls.key"],
  "kubernetes.io/dockerconfigjson": [".dockerconfigjson"],
  "kubernetes.io/dockercfg": [".dockercfg"],
};

/** Keys of a Secret of a type whose values are JSON objects. */
const jsonKeys: Readonly<Record<string, string>> = {
  "kubernetes.io/dockerconfigjson": ".dockerconfigjson",
  "kubernetes.io/dockercfg": ".dockercfg",
};

const accountName = "kubernetes.io/service-account.name";

export function validateSecret(object: Checker): void {
  const data = asObject(object.get("data")) ?? {};
  for (const key of Object.keys(data)) reportKey(object, "data", key);
  if (bytesIn(data, "base64") > sizeLimit) object.add(tooLong("data", sizeLimit));
  const type = object.text("type");
  for (const key of requiredKeys[type] ?? []) {
    if (!Object.hasOwn(data, key)) object.add(requiredField(`data[${key}]`));
  }
  const jsonKey = jsonKeys[type];
  const json = jsonKey === undefined ? undefined : data[jsonKey];
  const problem = typeof json === "string" ? jsonProblem(json) : undefined;
  if (problem !== undefined)
    object.invalid(`data[${jsonKey ?? ""}]`, "<secret contents redacted>", problem);
  if (type === "kubernetes.io/ssh-auth" && (data["ssh-privatekey"] ?? "") === "")
    object.add(requiredField("data[ssh-privatekey]"));
  const annotations = asObject(asObject(object.get("metadata"))?.["annotations"]) ?? {};
  if (type === "kubernetes.io/service-account-token" && (annotations[accountName] ?? "") === "")
    object.add(requiredField(`metadata.annotations[${accountName}]`));
  const hasCredentials = Object.hasOwn(data, "username") || Object.hasOwn(data, "password");
  if (type === "kubernetes.io/basic-auth" && !hasCredentials) {
    object.add(requiredField("data[username]"));
    object.add(requiredField("data[password]"));
  }
}

/** Why a value is no JSON object, in Go's words as far as they follow from where it ends or begins. */
function jsonProblem(encoded: string): string | undefined {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  try {
    const value = JSON.parse(text) as JsonValue;
    if (value === null || asObject(value) !== undefined) return undefined;
    const type = Array.isArray(value) ? "array" : goNames[typeof value];
    return `json: cannot unmarshal ${type ?? ""} into Go value of type map[string]interface {}`;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // V8 tells the position of some surprises only, and for the rest what they are.
    const position = Number(/position (?<at>\d+)/.exec(error.message)?.groups?.["at"] ?? 0);
    const isCut = error.message.includes("end of JSON") || position >= text.length;
    if (isCut) return "unexpected end of JSON input";
    const [first = ""] = text.trimStart();
    return /^[[{"\d\-tfn]/.test(first)
      ? "it is no valid JSON"
      : `invalid character '${first}' looking for beginning of value`;
  }
}

const goNames: Readonly<Record<string, string>> = {
  boolean: "bool",
  number: "number",
  string: "string",
};

function reportKey(object: Checker, map: string, key: string): void {
  for (const problem of configKeyProblems(key)) object.invalid(`${map}[${key}]`, key, problem);
}

function bytesIn(values: JsonObject, encoding: "utf8" | "base64"): number {
  let total = 0;
  for (const value of Object.values(values))
    if (typeof value === "string") total += Buffer.byteLength(value, encoding);
  return total;
}
