import { isJsonObject, type JsonObject, parseJson } from "../../json/index.ts";

/** One line that a provider printed, as far as it means something. */
export type RpcMessage =
  | { readonly kind: "result"; readonly id: number; readonly result: unknown }
  | { readonly kind: "error"; readonly id: number; readonly message: string }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject }
  | { readonly kind: "text"; readonly text: string };

/** Reads a line as JSON-RPC 2.0; whatever is none is text that somebody printed. */
export function readRpcMessage(line: string): RpcMessage {
  const text: RpcMessage = { kind: "text", text: line };
  if (!line.trimStart().startsWith("{")) return text;
  let value: unknown;
  try {
    value = parseJson(line);
  } catch {
    return text;
  }
  if (!isJsonObject(value) || value["jsonrpc"] !== "2.0") return text;
  const { id, method, params, error } = value;
  if (typeof method === "string" && id === undefined) {
    return { kind: "notification", method, params: isJsonObject(params) ? params : {} };
  }
  if (typeof id !== "number") return text;
  if (error !== undefined) return { kind: "error", id, message: errorText(error) };
  if (!Object.hasOwn(value, "result")) {
    return { kind: "error", id, message: "the answer has neither a result nor an error" };
  }
  return { kind: "result", id, result: value["result"] };
}

function errorText(error: unknown): string {
  if (typeof error === "string") return error;
  const message = isJsonObject(error) ? error["message"] : undefined;
  return typeof message === "string" ? message : "";
}
