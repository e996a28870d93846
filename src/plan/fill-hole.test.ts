import { describe, expect, it } from "vitest";
import { DiagnosticError } from "../diagnostics/index.ts";
import type { JsonValue } from "../json/index.ts";
import { type KubernetesObject, mutationAnnotation } from "../objects/index.ts";
import { copiedValue, coverHole, fillHole } from "./fill-hole.ts";
import { type Hole, holesOf, knownAfterApply } from "./hole.ts";

const map = (data: unknown, mutation?: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: {
    name: "m",
    namespace: "a",
    ...(mutation === undefined ? {} : { annotations: { [mutationAnnotation]: mutation } }),
  },
  data,
});
const deferred = { $deferred: 7, from: [{ resource: "#db", path: ["status", "ip"] }], text: "ip" };
const around = { keyOf: new Map([["#db", "key of db"]]), isKnown: () => true };

function onlyHole(object: KubernetesObject): Hole {
  const [hole, ...others] = holesOf(object, around);
  expect(others).toEqual([]);
  if (hole === undefined) throw new Error("there is no hole");
  return hole;
}

const taking = (targetPath: string, token?: string): string =>
  JSON.stringify([
    { sourceRef: { kind: "Pod", name: "p" }, sourcePath: "$.status.ips[0]", targetPath, token },
  ]);

it("a value of a program is a hole at its place, in maps and lists", () => {
  expect(holesOf(map({ x: ["1", deferred] }), around)).toEqual([
    {
      kind: "computed",
      at: ["data", "x", 1],
      sources: [{ key: "key of db", path: ["status", "ip"], resource: "#db" }],
      deferred: 7,
    },
  ]);
  expect(holesOf(map({ x: deferred }), { isKnown: () => true })).toEqual([]);
});

it("an apply-time mutation is a hole that knows the field it is filled from", () => {
  const [source] = onlyHole(map({ ip: "" }, taking("$.data.ip"))).sources;
  expect(source).toMatchObject({ key: "/Pod/a/p", path: ["status", "ips", 0] });
});

describe("a hole", () => {
  it.each<[string, KubernetesObject, JsonValue, unknown]>([
    ["of a program", map({ a: "1", x: deferred, z: "2" }), "v", { a: "1", x: "v", z: "2" }],
    ["of a mutation", map({ ip: "" }, taking("$.data.ip")), "1.2.3.4", { ip: "1.2.3.4" }],
    [
      "with a token",
      map({ u: "http://IP/" }, taking("$.data.u", "IP")),
      "$&$$",
      { u: "http://$&$$/" },
    ],
    [
      "with a token and a number beyond 2^53",
      map({ u: "n=N" }, taking("$.data.u", "N")),
      9_007_199_254_740_993n,
      { u: "n=9007199254740993" },
    ],
  ])("%s is filled", (_name, object, value, expected) => {
    const filled = fillHole(object, onlyHole(object), value);
    expect(filled["data"]).toEqual(expected);
    expect(Object.keys(filled["data"] ?? {})).toEqual(Object.keys(object["data"] ?? {}));
  });

  it.each([
    ["of a program", map({ x: deferred }), { x: knownAfterApply }],
    ["with a token", map({ u: "http://IP/" }, taking("$.data.u", "IP")), { u: knownAfterApply }],
    ["without a place", map({ u: "" }, taking("$.data.nowhere")), { u: "" }],
  ])("%s shows words as long as it is open", (_name, object, expected) => {
    expect(coverHole(object, onlyHole(object))["data"]).toEqual(expected);
  });

  it.each([
    ["$.data.nowhere", undefined, "targetPath $.data.nowhere hits 0 fields, not one"],
    ["$.data.u", "TOKEN", "targetPath $.data.u does not contain TOKEN"],
    ["$.data", "TOKEN", "targetPath $.data is no text, in which TOKEN could be replaced"],
  ])("of the path %s and the token %s cannot be filled", (path, token, message) => {
    const object = map({ u: "" }, taking(path, token));
    const fill = (): KubernetesObject => fillHole(object, onlyHole(object), "v");
    expect(fill).toThrow(DiagnosticError);
    expect(fill).toThrow(message);
  });

  it("takes exactly one field of its source", () => {
    const hole = onlyHole(map({ ip: "" }, taking("$.data.ip")));
    if (hole.kind !== "copied") throw new Error("it is no mutation");
    const pod = (ips: readonly string[]): KubernetesObject => ({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "p", namespace: "a" },
      status: { ips },
    });
    const [{ identity }] = hole.sources;
    expect(copiedValue(hole.mutation, identity, pod(["1.2.3.4", "::1"]))).toBe("1.2.3.4");
    expect(() => copiedValue(hole.mutation, identity, pod([]))).toThrow(
      "sourcePath $.status.ips[0] hits 0 fields of Pod a/p, not one",
    );
  });
});
