import type { ServerResponse } from "node:http";
import { pageJson } from "./page-json.ts";

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" });
  response.end(pageJson(value));
}
