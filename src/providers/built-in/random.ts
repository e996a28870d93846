import { randomBytes, randomInt, randomUUID } from "node:crypto";
import type { JsonObject } from "../../json/index.ts";
import type { ProviderContext } from "../provider.ts";
import { truth, wholeNumber } from "./input-shape.ts";
import type { ResourceType } from "./resource-type.ts";

const most = 1_024;
const letters = "abcdefghijklmnopqrstuvwxyz";
const classes = [letters, letters.toUpperCase(), "0123456789"];
/** Signs that need no quoting in addresses, shells and connection strings are few. */
const specials = "-_.~+=:,@%";

/** Random bytes; the id is the value, for it is no secret. */
export const randomId: ResourceType = {
  shape: { bytes: { rule: wholeNumber(1, most), isRequired: true } },
  fixedInputs: ["bytes"],
  create: async ({ bytes }) => {
    const id = randomBytes(Number(bytes)).toString("hex");
    return { id, outputs: idOutputs(id) };
  },
  read: async (id) => idOutputs(id),
  update: async (id) => idOutputs(id),
  delete: async () => {},
  // Nothing outside the record exists: what was interrupted is simply made.
  find: async () => undefined,
};

/** A password; only its record knows the value, so that reading gives back what is recorded. */
export const randomPassword: ResourceType = {
  shape: {
    length: { rule: wholeNumber(1, most), isRequired: true },
    special: { rule: truth },
  },
  fixedInputs: ["length", "special"],
  create: async ({ length, special }) => ({
    id: `password-${randomUUID()}`,
    outputs: { value: password(Number(length), special === true) },
    secrets: ["value"],
  }),
  read: async (_id, context) => recorded(context),
  update: async (_id, _oldInputs, _newInputs, context) => recorded(context),
  delete: async () => {},
  find: async () => undefined,
};

function idOutputs(hex: string): JsonObject {
  if (!/^(?:[0-9a-f]{2})+$/.test(hex))
    throw new Error(`${JSON.stringify(hex)} is not the id of a random Id: it is not hexadecimal`);
  return { hex, base64: Buffer.from(hex, "hex").toString("base64") };
}

function recorded({ outputs }: ProviderContext): JsonObject {
  if (typeof outputs?.["value"] !== "string")
    throw new Error("the value of a Password is only in its record, and that is not at hand");
  return { value: outputs["value"] };
}

/** Every class of characters occurs where the length allows it, as many rules demand. */
function password(length: number, special: boolean): string {
  const used = special ? [...classes, specials] : classes;
  const all = used.join("");
  const characters = Array.from({ length }, (_, index) => pick(used[index] ?? all));
  for (let index = characters.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    const held = characters[index] ?? "";
    characters[index] = characters[other] ?? "";
    characters[other] = held;
  }
  return characters.join("");
}

function pick(from: string): string {
  return from[randomInt(from.length)] ?? "";
}
