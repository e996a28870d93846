import { expect, it } from "vitest";
import { assembleCase, line } from "../../../test/assembly/assembly-text.ts";
import { componentGraph } from "./component-graph.ts";
import { componentJson } from "./component-json.ts";
import { componentLines } from "./component-lines.ts";

const plain = (text: string): string => text;
const style = { bold: plain, dim: plain, red: plain, yellow: plain, cyan: plain };

const { components } = assembleCase({
  objects: `
{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop}, spec: {containers: [{image: "team/web:1"}]}}
---
{apiVersion: batch/v1, kind: Job, metadata: {generateName: seed-}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: settings}}
`,
  directives: [
    { kind: "image", reference: "team/web" },
    { kind: "local", name: "lint", autoInit: false },
    { kind: "component", newName: "config", objects: ["settings"] },
    {
      kind: "component",
      workload: "web",
      dependsOn: ["lint", "config"],
      portForwards: [
        { localPort: 80 },
        { localPort: 81, containerPort: 8080, host: "0.0.0.0", name: "admin" },
      ],
      extraPodSelectors: [{ app: "web", tier: "front" }, { app: "side" }],
      links: [{ url: "http://a" }, { url: "http://b", name: "docs" }],
      labels: ["front", "shop"],
      triggerMode: "manual",
      source: line(3),
    },
  ],
});

it("shows everything that was said", () => {
  expect(componentLines(components, "default", style)).toMatchInlineSnapshot(`
    "web
      Pod        shop/web
      image      team/web:1 (built as team/web)
      waits for  lint, config
      ports      80 → 80, 0.0.0.0:81 → 8080 (admin)
      pods       app=web,tier=front or app=side
      links      http://a, http://b (docs)
      labels     front, shop
      trigger    manual

    seed-
      Job  seed-…

    lint  local
      starts  when asked

    config  objects without a workload
      ConfigMap  settings

    4 components, 2 workloads, 3 objects
    "
  `);
});

it("breaks long lines", () => {
  const names = Array.from({ length: 5 }, (_, index) => `settings-of-the-shop-${index}`);
  const objects = names.map((name) => `v1 ConfigMap ${name}`).join("\n");
  const found = componentLines(assembleCase({ objects }).components, "default", style, 60);
  expect(found).toMatchInlineSnapshot(`
    "uncategorized  what goes with no single workload; applied first
      ConfigMap  settings-of-the-shop-0, settings-of-the-shop-1,
                 settings-of-the-shop-2, settings-of-the-shop-3,
                 settings-of-the-shop-4

    1 component, 0 workloads, 5 objects
    "
  `);
});

it("draws what waits for what from workload to workload", () => {
  const { nodes, edges } = componentGraph(components);
  expect(nodes.map(({ group, label, color }) => `${group}: ${label} ${color}`)).toEqual([
    "web: Pod web green",
    "seed-: Job seed- green",
    "lint: local none",
    "config: ConfigMap settings none",
  ]);
  expect(edges.map(({ reason }) => reason)).toEqual(["web waits for lint", "web waits for config"]);
});

it("gives options and places to programs", () => {
  const [web] = components;
  if (web === undefined) throw new Error("no component");
  expect(componentJson(web, () => "namespaced", "default")).toMatchInlineSnapshot(`
    {
      "autoInit": true,
      "dependsOn": [
        "lint",
        "config",
      ],
      "discoveryStrategy": "default",
      "extraPodSelectors": [
        {
          "app": "web",
          "tier": "front",
        },
        {
          "app": "side",
        },
      ],
      "images": [
        {
          "build": "team/web",
          "object": "web:pod:shop:core",
          "path": [
            "spec",
            "containers",
            0,
            "image",
          ],
          "reference": "team/web:1",
        },
      ],
      "kind": "workload",
      "labels": [
        "front",
        "shop",
      ],
      "links": [
        {
          "url": "http://a",
        },
        {
          "name": "docs",
          "url": "http://b",
        },
      ],
      "name": "web",
      "objects": [
        "web:pod:shop:core",
      ],
      "podReadiness": "wait",
      "portForwards": [
        {
          "localPort": 80,
        },
        {
          "containerPort": 8080,
          "host": "0.0.0.0",
          "localPort": 81,
          "name": "admin",
        },
      ],
      "source": {
        "column": 1,
        "file": "Tiltfile",
        "line": 3,
      },
      "triggerMode": "manual",
      "workload": "web:pod:shop:core",
    }
  `);
});
