import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, parseJson } from "../../json/index.ts";
import { splitApiVersion } from "../../objects/api-version.ts";
import { builtinSchemas } from "../builtin-schemas.ts";
import { normalise } from "../normalise.ts";
import { decodeProtobuf, WireError } from "./decode-protobuf.ts";
import facts from "../../../test/facts/api-server-protobuf.json" with { type: "json" };

/** One object in both forms, as kube-apiserver 1.36.3 sent it. */
const cases = Object.entries(
  facts as Readonly<Record<string, { readonly protobuf: string; readonly json: string }>>,
);

test.each(cases)("%s means the same in protobuf and in JSON", async (kind, { protobuf, json }) => {
  const expected = parseJson(json) as JsonObject;
  const decoded = await decodeProtobuf(Buffer.from(protobuf, "base64"));
  const { group, version } = splitApiVersion(expected["apiVersion"] as string);
  const schema = builtinSchemas().get({ group, version, kind }) ?? {};
  const { object, problems } = normalise(schema, decoded);
  expect(problems).toEqual([]);
  expect(object).toEqual(normalise(schema, expected).object);
});

test("what kubectl sends for `create configmap settings --from-literal=a=b`", async () => {
  const sent =
    "azhzAAoPCgJ2MRIJQ29uZmlnTWFwEiIKGAoIc2V0dGluZ3MSABoAIgAqADIAOABCABIGCgFhEgFiGgAiAA==";
  expect(await decodeProtobuf(Buffer.from(sent, "base64"))).toEqual({
    kind: "ConfigMap",
    apiVersion: "v1",
    metadata: { name: "settings" },
    data: { a: "b" },
  });
});

describe("what cannot be read is a WireError", () => {
  test.each([
    ["no magic", "", /expected prefix/],
    ["no kind", "azhzAA==", /no kind "" is registered/],
    ["cut off", "azhzAAoPCgJ2MRIJQ29uZmln", /unexpected EOF/],
  ])("%s", async (_name, base64, message) => {
    const decoding = decodeProtobuf(Buffer.from(base64, "base64"));
    await expect(decoding).rejects.toBeInstanceOf(WireError);
    await expect(decoding).rejects.toThrow(message);
  });

  test("and nothing else, whatever bytes are changed", async () => {
    const samples = cases.map(([, { protobuf }]) => Buffer.from(protobuf, "base64"));
    const spoiled = fc.record({
      sample: fc.nat(samples.length - 1),
      at: fc.nat(),
      byte: fc.nat(255),
      cut: fc.option(fc.nat()),
    });
    await fc.assert(
      fc.asyncProperty(spoiled, async ({ sample, at, byte, cut }) => {
        const bytes = Buffer.from(samples[sample] ?? []);
        bytes[at % bytes.length] = byte;
        const sent = cut === null ? bytes : bytes.subarray(0, cut % bytes.length);
        const result = await decodeProtobuf(sent).catch((error: unknown) => error);
        expect(!(result instanceof Error) || result instanceof WireError).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
