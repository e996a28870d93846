import { expect, test } from "vitest";
import { formatIdentity, readObjectsFromText } from "../objects/index.ts";
import { referencesOf } from "./references.ts";

const pod = (spec: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: a, namespace: shop}\nspec: {${spec}}`;
const ingress = (spec: string) =>
  `apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: a, namespace: shop}\nspec: {${spec}}`;
const route = (backends: string) =>
  `apiVersion: gateway.networking.k8s.io/v1\nkind: HTTPRoute\nmetadata: {name: a, namespace: shop}\nspec: {rules: [{backendRefs: [${backends}]}]}`;

test.each<readonly [object: string, names: readonly string[]]>([
  [pod("imagePullSecrets: [{name: pull}]"), ["Secret shop/pull"]],
  [
    pod("volumes: [{projected: {sources: [{configMap: {name: m}}, {secret: {name: s}}]}}]"),
    ["ConfigMap shop/m", "Secret shop/s"],
  ],
  [
    pod("ephemeralContainers: [{envFrom: [{configMapRef: {name: m}}, {secretRef: {name: s}}]}]"),
    ["ConfigMap shop/m", "Secret shop/s"],
  ],
  [ingress("defaultBackend: {service: {name: web}}"), ["Service shop/web"]],
  [ingress("rules: [{http: {paths: [{backend: {serviceName: old}}]}}]"), ["Service shop/old"]],
  [ingress("defaultBackend: {resource: {kind: Bucket, name: b}}"), []],
  [route("{name: web}, {name: other, namespace: o}"), ["Service shop/web", "Service o/other"]],
  [route("{name: bucket, group: x.io, kind: Bucket}"), []],
  [ingress("rules: 3"), []],
])("%s", (text, names) => {
  const [given] = readObjectsFromText("a.yaml", text).objects;
  if (given === undefined) throw new Error("no object");
  expect(referencesOf(given.object).map(({ target }) => formatIdentity(target))).toEqual(names);
});
