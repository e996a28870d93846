import { describe, expect, it } from "vitest";
import { adaptObjects } from "./adapt-objects.ts";
import { readObjectsFromText } from "./read/read-objects.ts";

function adapted(text: string): {
  readonly objects: readonly unknown[];
  readonly said: readonly string[];
} {
  const { objects, diagnostics } = adaptObjects(readObjectsFromText("in.yaml", text).objects);
  return {
    objects: objects.map(({ object }) => object),
    said: diagnostics.map(
      ({ code, severity, source }) => `${severity} ${code} ${source?.start.line ?? 0}`,
    ),
  };
}

const thirdParty = (name: string, versions = "[{name: v1}]"): string =>
  `apiVersion: extensions/v1beta1\nkind: ThirdPartyResource\nmetadata:\n  name: ${name}\n  annotations: {a: b}\nversions: ${versions}\n`;

describe("a ThirdPartyResource", () => {
  it.each([
    ["cloud-formation.smith.atlassian.com", "CloudFormation cloudformations.smith.atlassian.com"],
    ["resource-claim.smith.atlassian.com", "ResourceClaim resourceclaims.smith.atlassian.com"],
    ["cron-tab.stable.example.com", "CronTab crontabs.stable.example.com"],
    ["policy.example.com", "Policy policies.example.com"],
    ["access.example.com", "Access accesses.example.com"],
  ])("%s means %s", (name, expected) => {
    const { objects, said } = adapted(thirdParty(name));
    const [definition] = objects as {
      metadata: { name: string };
      spec: { names: { kind: string } };
    }[];
    expect(`${definition?.spec.names.kind} ${definition?.metadata.name}`).toBe(expected);
    expect(said).toEqual(["warning objects.third-party-resource 2"]);
  });

  it("keeps its annotations and versions, and has no schema of its own", () => {
    const { objects } = adapted(thirdParty("foo.example.com", "[{name: v1}, {name: v2}]"));
    const schema = {
      openAPIV3Schema: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
    };
    expect(objects).toEqual([
      {
        apiVersion: "apiextensions.k8s.io/v1",
        kind: "CustomResourceDefinition",
        metadata: { name: "foos.example.com", annotations: { a: "b" } },
        spec: {
          group: "example.com",
          names: { kind: "Foo", listKind: "FooList", plural: "foos", singular: "foo" },
          scope: "Namespaced",
          versions: [
            { name: "v1", served: true, storage: true, schema },
            { name: "v2", served: true, storage: false, schema },
          ],
        },
      },
    ]);
  });

  it.each([
    ["foo", "[{name: v1}]", 4],
    ["foo.com", "[{name: v1}]", 4],
    ["foo.example.com", "[]", 6],
    ["foo.example.com", "[v1]", 6],
  ])("%s %s means nothing", (name, versions, line) => {
    expect(adapted(thirdParty(name, versions)).said).toEqual([
      `error objects.invalid-third-party-resource ${line}`,
    ]);
  });
});

it("a uid is left out, with a warning", () => {
  const { objects, said } = adapted(
    "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  uid: 1-2\n",
  );
  expect(objects).toEqual([{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }]);
  expect(said).toEqual(["warning objects.uid-dropped 5"]);
});

it("what a server keeps the books with is left out, with a warning", () => {
  const { objects, said } = adapted(
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  resourceVersion: "5"\n  managedFields: []\n',
  );
  expect(objects).toEqual([{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } }]);
  expect(said).toEqual(["warning objects.server-fields-dropped 5"]);
});

it("what today's servers take stays the very same", () => {
  const text = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n";
  const { objects } = readObjectsFromText("in.yaml", text);
  expect(adaptObjects(objects).objects).toBe(objects);
});
