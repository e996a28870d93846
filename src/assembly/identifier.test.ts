import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assembleCase } from "../../test/assembly/assembly-text.ts";
import { formatIdentifier, type ObjectIdentifier } from "./identifier.ts";
import { parseIdentifier } from "./parse-identifier.ts";

describe("the text of an identifier", () => {
  it.each<readonly [text: string, expected: ObjectIdentifier | string]>([
    ["web", { name: "web" }],
    ["web:Deployment", { name: "web", kind: "Deployment" }],
    ["web:deployment:shop", { name: "web", kind: "deployment", namespace: "shop" }],
    [
      "web:deployment:shop:apps",
      { name: "web", kind: "deployment", namespace: "shop", group: "apps" },
    ],
    [
      "view:clusterrole::rbac.authorization.k8s.io",
      { name: "view", kind: "clusterrole", namespace: "", group: "rbac.authorization.k8s.io" },
    ],
    [String.raw`system\:view:clusterrole`, { name: "system:view", kind: "clusterrole" }],
    [String.raw`a\\b`, { name: String.raw`a\b` }],
    ["", "its name is empty at 0"],
    [":deployment", "its name is empty at 0"],
    ["web:", "its kind is empty at 4"],
    ["web::shop", "its kind is empty at 4"],
    ["web:deployment:", "its namespace is empty at 15"],
    ["web:deployment::", "its group is empty at 16"],
    ["web:deployment:shop:", "its group is empty at 20"],
    ["a:b:c:d:e", "it has more than four parts: name, kind, namespace, group at 7"],
    [String.raw`a\b`, String.raw`a backslash stands before something else than : or \ at 1`],
    ["web\\", "it ends in a single backslash at 3"],
  ])("%s", (text, expected) => {
    const parsed = parseIdentifier(text);
    const found =
      parsed.kind === "identifier" ? parsed.identifier : `${parsed.message} at ${parsed.offset}`;
    expect(found).toEqual(expected);
  });

  const part = fc.string({ minLength: 1, unit: "binary" });
  const lowerCase = part.map((text) => text.toLowerCase());
  const identifiers: fc.Arbitrary<ObjectIdentifier> = fc.oneof(
    fc.record({ name: part }),
    fc.record({ name: part, kind: lowerCase }),
    fc.record({ name: part, kind: lowerCase, namespace: lowerCase }),
    fc.record({
      name: part,
      kind: lowerCase,
      namespace: fc.oneof(lowerCase, fc.constant("")),
      group: lowerCase,
    }),
  );

  it("is read back as what was written", () => {
    fc.assert(
      fc.property(identifiers, (identifier) => {
        expect(parseIdentifier(formatIdentifier(identifier))).toEqual({
          kind: "identifier",
          identifier,
        });
      }),
    );
  });

  it("may be anything: it is read, or the fault is inside of it", () => {
    const texts = fc.string({ unit: fc.constantFrom(":", "\\", "a", "B", "\n", "é") });
    fc.assert(
      fc.property(texts, (text) => {
        const parsed = parseIdentifier(text);
        if (parsed.kind === "problem") {
          expect(parsed.offset).toBeGreaterThanOrEqual(0);
          expect(parsed.offset).toBeLessThanOrEqual(text.length);
        } else {
          const written = formatIdentifier(parsed.identifier);
          expect(formatIdentifier(reread(written))).toBe(written);
        }
      }),
    );
  });
});

function reread(text: string): ObjectIdentifier {
  const parsed = parseIdentifier(text);
  if (parsed.kind === "problem") throw new Error(parsed.message);
  return parsed.identifier;
}

describe("an identifier matches", () => {
  const definition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: fleets.example.com}
spec: {group: example.com, names: {kind: Fleet}, scope: Cluster}
---
`;
  const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n";
  const inShop = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: Shop}\n";
  const pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\n";
  const fleet = `${definition}apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: web}\n`;
  const unknown = "apiVersion: example.com/v1\nkind: Fleet\nmetadata: {name: web}\n";

  it.each<readonly [identifier: string, objects: string, matches: boolean, namespace: string]>([
    ["web", deployment, true, "default"],
    ["Web", deployment, false, "default"],
    ["web:DEPLOYMENT", deployment, true, "default"],
    ["web:deploy", deployment, false, "default"],
    ["web:deployment:default", deployment, true, "default"],
    ["web:deployment:DEFAULT:Apps", deployment, true, "default"],
    ["web:deployment:dev", deployment, true, "dev"],
    ["web:deployment:default", deployment, true, "dev"],
    ["web:deployment:dev", deployment, false, "default"],
    ["web:deployment::apps", deployment, false, "default"],
    ["web:deployment:shop", inShop, true, "default"],
    ["web:deployment:default", inShop, false, "default"],
    ["web:deployment:dev", inShop, false, "dev"],
    ["web:pod:default:core", pod, true, "default"],
    ["web:pod:default:apps", pod, false, "default"],
    ["web:fleet::example.com", fleet, true, "default"],
    ["web:fleet:default", fleet, true, "default"],
    ["web:fleet:default:example.com", fleet, true, "default"],
    ["web:fleet:shop", fleet, false, "default"],
    ["web:fleet:default", unknown, true, "default"],
    ["web:fleet::example.com", unknown, true, "default"],
  ])("%s in %s: %s", (workload, objects, matches, namespace) => {
    const { diagnostics } = assembleCase({
      objects,
      namespace,
      directives: [
        { kind: "workload-kind", objectKind: "fleet" },
        { kind: "component", workload, newName: "found" },
      ],
    });
    expect(diagnostics.map(({ code }) => code)).toEqual(
      matches ? [] : ["assembly.unknown-workload"],
    );
  });
});
