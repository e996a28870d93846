import type { Cluster } from "../../../cluster/index.ts";
import { outputsName } from "../../../engine/index.ts";
import type { GroupReference } from "../../../inventory/index.ts";
import { isJsonObject, type JsonValue, parseJson, stringifyJson } from "../../../json/index.ts";
import { maskedValue, type KubernetesObject } from "../../../objects/index.ts";
import { outputsType, secretOutputsAnnotation } from "../../../resources/index.ts";
import { safeLine } from "../../../diagnostics/index.ts";

/** A value that a program exported, as its last apply left it. */
export interface KeptOutput {
  readonly name: string;
  readonly value: JsonValue;
  readonly isSecret: boolean;
}

/** The outputs of a project in an environment; undefined where it has none. */
export async function keptOutputs(
  cluster: Cluster,
  about: { readonly project: string; readonly env: string },
  { namespace }: Pick<GroupReference, "namespace">,
): Promise<readonly KeptOutput[] | undefined> {
  const reference = { apiVersion: "v1", kind: "Secret", name: outputsName(about), namespace };
  const secret = await cluster.find(reference);
  return secret?.["type"] === outputsType ? outputsIn(secret) : undefined;
}

function outputsIn({ metadata, data }: KubernetesObject): readonly KeptOutput[] {
  const secret: unknown = parsed(metadata.annotations?.[secretOutputsAnnotation] ?? "[]");
  const isSecret = new Set(Array.isArray(secret) ? secret : []);
  return Object.entries(isJsonObject(data) ? data : {})
    .map(([name, text]) => ({
      name,
      value: parsed(Buffer.from(typeof text === "string" ? text : "", "base64").toString("utf8")),
      isSecret: isSecret.has(name),
    }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** What others wrote into the Secret may be no JSON. */
function parsed(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}

/** A value as it is printed: text as it is, everything else as JSON. */
export function outputText({ value, isSecret }: KeptOutput, showSecrets: boolean): string {
  if (isSecret && !showSecrets) return maskedValue;
  return typeof value === "string" ? value : stringifyJson(value);
}

/** All outputs below each other, as they end an apply. */
export function outputLines(
  outputs: readonly KeptOutput[],
  showSecrets: boolean,
): readonly string[] {
  const width = Math.max(...outputs.map(({ name }) => name.length));
  return outputs.map(
    (each) => `${each.name.padEnd(width)}  ${safeLine(outputText(each, showSecrets))}`,
  );
}
