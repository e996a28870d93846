import type { JsonObject, JsonValue } from "../../src/json/index.ts";
import { Chance } from "../faults/simulation/chance.ts";
import type { OpenApi } from "./open-api.ts";
import { anyDefinition, customKind } from "./any-definition.ts";
import { type Servers, sendObject, untilServed } from "./servers.ts";
import { type Subject, collectionPath, namespace } from "./subject.ts";

const definitionsPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** Makes random definitions on both servers, and a valid object of each. */
export async function customSubjects(
  { real, sandbox }: Servers,
  openApi: OpenApi,
  seed: number,
  count: number,
): Promise<readonly Subject[]> {
  const subjects: Subject[] = [];
  for (let index = 0; index < count; index++) {
    const { definition, object, schema } = anyDefinition(new Chance(seed + index), index);
    const { apiVersion, plural, kind } = customKind(index);
    const collection = collectionPath(apiVersion, plural, namespace);
    for (const target of [real, sandbox]) {
      const { status, body } = await sendObject(target, "POST", definitionsPath, definition);
      if (status !== 201) {
        throw new Error(`a random definition was refused: ${refusal(body)}\n${text(definition)}`);
      }
    }
    for (const target of [real, sandbox]) await untilServed(target, collection);
    subjects.push({
      kind: "(random custom kinds)",
      name: `${kind}/any`,
      collection,
      schema: await openApi.custom(schema),
      object,
      isStored: true,
    });
  }
  return subjects;
}

function refusal({ message }: JsonObject): string {
  return typeof message === "string" ? message : "";
}

function text(value: JsonValue): string {
  return JSON.stringify(value);
}
