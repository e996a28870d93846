import { expect, it } from "vitest";
import type { HistoryEntry } from "../inventory/index.ts";
import { historyOf, historyView } from "./history-view.ts";

const entries: readonly HistoryEntry[] = [
  {
    at: "2026-11-17T06:00:00Z",
    by: "me",
    command: "apply",
    counts: { changed: 1, pruned: 1 },
    objects: [
      { key: "apps/Deployment/shop/web", action: "changed", fields: [".spec.replicas"], cut: 2 },
      { key: "/ConfigMap/shop/old", action: "pruned" },
    ],
    cut: 3,
  },
  {
    at: "2026-11-17T05:00:00Z",
    by: "me",
    command: "apply",
    counts: { created: 1 },
    objects: [{ key: "/ConfigMap/shop/old", action: "created" }],
  },
];

it("tells of all objects, and how many were left out", () => {
  expect(historyView(entries)[0]).toMatchObject({
    summary: "1 changed, 1 pruned",
    cut: 3,
    objects: [
      { kind: "Deployment", name: "web", fields: [".spec.replicas"], more: 2 },
      { kind: "ConfigMap", name: "old", fields: [], more: 0 },
    ],
  });
});

it("tells of some objects only the runs that touched them", () => {
  const told = historyView(entries, new Set(["apps/Deployment/shop/web"]));
  expect(told.map(({ at, objects }) => [at, objects.length])).toEqual([
    ["2026-11-17T06:00:00Z", 1],
  ]);
});

it("does not mind what somebody else wrote there", () => {
  const metadata = { annotations: { "keelson.dev/history": "[{]" } };
  expect(historyOf({ apiVersion: "kpt.dev/v1alpha1", kind: "ResourceGroup", metadata })).toEqual(
    [],
  );
});
