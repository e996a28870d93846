import { expect, it } from "vitest";
import type { RunEvent } from "../../events/index.ts";
import { emptyCounts } from "../../events/index.ts";
import { kptView, type KptViewOptions } from "./kpt-view.ts";

const map = (name: string) => ({ group: "", kind: "ConfigMap", namespace: "web", name });

function linesOf(events: readonly RunEvent[], options: Partial<KptViewOptions> = {}): string {
  let written = "";
  const view = kptView(
    { write: (text) => (written += text) !== "" },
    { verbose: false, ...options },
  );
  for (const event of events) view.show({ timestamp: "2026-01-01T00:00:00.000Z", ...event });
  return written.replaceAll(/"timestamp":"[^".]+Z"/g, '"timestamp":"T"');
}

it("begins a phase whenever an event belongs to another one, and counts on", () => {
  const events: readonly RunEvent[] = [
    { type: "apply", object: map("a"), status: "successful", change: "created" },
    { type: "wait", object: map("a"), status: "pending" },
    { type: "wait", object: map("a"), status: "pending" },
    { type: "wait", object: map("a"), status: "successful" },
    { type: "apply", object: map("b"), status: "failed", message: "no" },
    { type: "summary", counts: emptyCounts() },
  ];
  expect(linesOf(events)).toBe(`\
{"action":"Inventory","status":"Started","timestamp":"T","type":"group"}
{"action":"Inventory","status":"Finished","timestamp":"T","type":"group"}
{"action":"Apply","status":"Started","timestamp":"T","type":"group"}
{"group":"","kind":"ConfigMap","name":"a","namespace":"web","status":"Successful","timestamp":"T","type":"apply"}
{"action":"Apply","count":1,"failed":0,"skipped":0,"status":"Finished","successful":1,"timestamp":"T","type":"group"}
{"action":"Wait","status":"Started","timestamp":"T","type":"group"}
{"group":"","kind":"ConfigMap","name":"a","namespace":"web","status":"Pending","timestamp":"T","type":"wait"}
{"group":"","kind":"ConfigMap","name":"a","namespace":"web","status":"Successful","timestamp":"T","type":"wait"}
{"action":"Wait","count":1,"failed":0,"skipped":0,"status":"Finished","successful":1,"timeout":0,"timestamp":"T","type":"group"}
{"action":"Apply","status":"Started","timestamp":"T","type":"group"}
{"error":"no","group":"","kind":"ConfigMap","name":"b","namespace":"web","status":"Failed","timestamp":"T","type":"apply"}
{"action":"Apply","count":2,"failed":1,"skipped":0,"status":"Finished","successful":1,"timestamp":"T","type":"group"}
{"action":"Wait","status":"Started","timestamp":"T","type":"group"}
{"group":"","kind":"ConfigMap","name":"b","namespace":"web","status":"Skipped","timestamp":"T","type":"wait"}
{"action":"Wait","count":2,"failed":0,"skipped":1,"status":"Finished","successful":1,"timeout":0,"timestamp":"T","type":"group"}
{"action":"Inventory","status":"Started","timestamp":"T","type":"group"}
{"action":"Inventory","status":"Finished","timestamp":"T","type":"group"}
{"action":"Apply","count":2,"failed":1,"skipped":0,"successful":1,"timestamp":"T","type":"summary"}
{"action":"Wait","count":2,"failed":0,"skipped":1,"successful":1,"timeout":0,"timestamp":"T","type":"summary"}
`);
});

it("shows statuses with their inventory, and only where they are asked for", () => {
  const events: readonly RunEvent[] = [
    { type: "status", object: map("a"), status: "Current", message: "ready" },
    { type: "summary", counts: emptyCounts() },
  ];
  expect(linesOf(events, { verbose: true, inventoryName: "shop" })).toBe(
    '{"group":"","inventory-name":"shop","kind":"ConfigMap","message":"ready","name":"a","namespace":"web","status":"Current","timestamp":"T","type":"status"}\n',
  );
  expect(linesOf(events)).not.toContain("Current");
});
