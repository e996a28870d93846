import { expect, it } from "vitest";
import type { AxisStatus, RuntimeStatus, UpdateStatus } from "../events/index.ts";
import { devVerdict } from "./dev-verdict.ts";

function axis<Status extends string>(status: Status, message: string): AxisStatus<Status> {
  return { status, reason: message, message, since: "" };
}

it.each<[UpdateStatus, RuntimeStatus, string, "update" | "runtime"]>([
  ["ok", "ok", "Current", "runtime"],
  ["ok", "not_applicable", "Current", "update"],
  ["not_applicable", "ok", "Current", "runtime"],
  ["ok", "pending", "InProgress", "runtime"],
  ["ok", "none", "InProgress", "runtime"],
  ["ok", "unknown", "InProgress", "runtime"],
  ["ok", "error", "Failed", "runtime"],
  ["pending", "ok", "InProgress", "update"],
  ["in_progress", "ok", "InProgress", "update"],
  ["in_progress", "error", "Failed", "runtime"],
  ["error", "ok", "Failed", "update"],
  ["error", "error", "Failed", "update"],
  ["none", "none", "Unknown", "update"],
])("update %s and runtime %s is %s, because of the %s", (update, runtime, status, because) => {
  const view = {
    update: axis(update, "update"),
    runtime: axis(runtime, "runtime"),
    endpoints: [],
    changedFiles: [],
    updated: "",
    labels: [],
    isLocal: false,
  };
  expect(devVerdict(view)).toEqual({ status, reason: because, message: because });
});
