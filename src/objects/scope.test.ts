import { expect, test } from "vitest";
import { renderDiagnostics } from "../diagnostics/index.ts";
import { defaultNamespaces } from "./default-namespaces.ts";
import { duplicateObjects } from "./duplicate-objects.ts";
import { formatIdentity, identityOf } from "./identity.ts";
import { readObjectsFromText } from "./read/read-objects.ts";
import { scopeLookup } from "./scope.ts";

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec: {group: example.com, scope: Cluster, names: {kind: Gadget, plural: gadgets}}
`;

function read(text: string) {
  const { objects, diagnostics } = readObjectsFromText("in.yaml", text);
  expect(diagnostics).toEqual([]);
  return objects;
}

test("discovery goes before CRDs of the input, these before what every cluster has", () => {
  const objects = read(definition).map(({ object }) => object);
  const scopeOf = scopeLookup({
    objects,
    discovered: [{ group: "other.com", kind: "Thing", scope: "namespaced" }],
  });
  expect(
    [
      ["apps", "Deployment"],
      ["", "Namespace"],
      ["example.com", "Gadget"],
      ["other.com", "Thing"],
      ["example.com", "Unknown"],
    ].map(([group = "", kind = ""]) => scopeOf(group, kind)),
  ).toEqual(["namespaced", "cluster", "cluster", "namespaced", undefined]);
  const served = [{ group: "example.com", kind: "Gadget", scope: "namespaced" }] as const;
  expect(scopeLookup({ objects, discovered: served })("example.com", "Gadget")).toBe("namespaced");
});

test("namespaces are set and dropped by scope", () => {
  const objects = read(`apiVersion: v1
kind: Pod
metadata: {name: a}
---
apiVersion: v1
kind: Pod
metadata: {name: b, namespace: own}
---
apiVersion: v1
kind: Namespace
metadata:
  name: c
  namespace: wrong
---
apiVersion: v1
kind: Node
metadata: {name: d, namespace: ""}
---
apiVersion: x/v1
kind: Unknown
metadata: {name: e}
`);
  const defaulted = defaultNamespaces(objects, scopeLookup({}), "main");
  expect(defaulted.objects.map(({ object }) => formatIdentity(identityOf(object)))).toEqual([
    "Pod main/a",
    "Pod own/b",
    "Namespace c",
    "Node d",
    "Unknown.x e",
  ]);
  expect(renderDiagnostics(defaulted.diagnostics))
    .toBe(`warning[objects.namespace-dropped]: Namespace c belongs to no namespace; "wrong" is ignored
  at in.yaml:13:3
    11 | metadata:
    12 |   name: c
  > 13 |   namespace: wrong
       |   ^^^^^^^^^^^^^^^^
  hint: Remove metadata.namespace.`);
});

test("one object given twice is an error that names both places", () => {
  const objects = read(`apiVersion: apps/v1
kind: Deployment
metadata: {name: a}
---
apiVersion: apps/v1beta1
kind: Deployment
metadata: {name: a}
---
apiVersion: v1
kind: Pod
metadata: {generateName: a}
---
apiVersion: v1
kind: Pod
metadata: {generateName: a}
`);
  expect(renderDiagnostics(duplicateObjects(objects).map(({ diagnostic }) => diagnostic)))
    .toBe(`error[objects.duplicate-object]: Deployment.apps a occurs twice in the input
  at in.yaml:5:1
    4 | ---
  > 5 | apiVersion: apps/v1beta1
      | ^^^^^^^^^^^^^^^^^^^^^^^^
    6 | kind: Deployment
    7 | metadata: {name: a}
  It was first given at in.yaml:1:1.
  hint: Remove one of the two, or give it another name or namespace.`);
});
