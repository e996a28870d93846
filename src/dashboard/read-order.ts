import type { IncomingMessage } from "node:http";
import { fail } from "../diagnostics/index.ts";
import { isJsonObject } from "../json/index.ts";
import type { ActionOrder, ComponentAction } from "./control-view.ts";

const largestBody = 64 * 1024;

/** What the page sends to have something done; fails when it is nothing of the kind. */
export async function readOrder(request: IncomingMessage): Promise<ActionOrder> {
  let text = "";
  for await (const chunk of request) {
    text += String(chunk);
    if (text.length > largestBody) return bad("it is too long");
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return bad("it is no JSON");
  }
  if (!isJsonObject(value)) return bad("it is no object");
  const { kind, component, inventory, confirmation, plan } = value;
  const hasComponent = typeof component === "string";
  const isConfirmed = typeof confirmation === "string";
  if (isPlain(kind) && hasComponent) return { kind, component };
  if (kind === "delete" && hasComponent && isConfirmed) return { kind, component, confirmation };
  if (kind === "destroy" && typeof inventory === "string" && isConfirmed)
    return { kind, inventory, confirmation };
  if (kind === "apply" && typeof plan === "string") return { kind, plan };
  return bad("its kind is not known, or something is missing for it");
}

type PlainAction = Exclude<ComponentAction, "delete">;
const plainActions: readonly PlainAction[] = ["trigger", "restart", "disable", "enable"];

function isPlain(kind: unknown): kind is PlainAction {
  return plainActions.some((action) => action === kind);
}

function bad(why: string): never {
  fail({
    code: "dashboard.bad-request",
    summary: `what was sent is no action: ${why}`,
    hint: "reload the page",
  });
}
