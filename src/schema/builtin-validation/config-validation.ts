import { asObject, type JsonObject } from "../../json/index.ts";
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
  "kubernetes.io/ssh-auth": ["ssh-privatekey"],
};

export function validateSecret(object: Checker): void {
  const data = asObject(object.get("data")) ?? {};
  for (const key of Object.keys(data)) reportKey(object, "data", key);
  if (bytesIn(data, "base64") > sizeLimit) object.add(tooLong("data", sizeLimit));
  const type = object.text("type");
  for (const key of requiredKeys[type] ?? []) {
    if (!Object.hasOwn(data, key)) object.add(requiredField(`data[${key}]`));
  }
  const hasCredentials = Object.hasOwn(data, "username") || Object.hasOwn(data, "password");
  if (type === "kubernetes.io/basic-auth" && !hasCredentials) {
    object.add(requiredField("data[username]"));
    object.add(requiredField("data[password]"));
  }
}

function reportKey(object: Checker, map: string, key: string): void {
  for (const problem of configKeyProblems(key)) object.invalid(`${map}[${key}]`, key, problem);
}

function bytesIn(values: JsonObject, encoding: "utf8" | "base64"): number {
  let total = 0;
  for (const value of Object.values(values))
    if (typeof value === "string") total += Buffer.byteLength(value, encoding);
  return total;
}
