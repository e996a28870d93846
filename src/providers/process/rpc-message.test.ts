import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readRpcMessage, type RpcMessage } from "./rpc-message.ts";

it.each<readonly [string, RpcMessage | "text"]>([
  ['{"jsonrpc":"2.0","id":1,"result":null}', { kind: "result", id: 1, result: null }],
  [
    '{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"no"}}',
    { kind: "error", id: 1, message: "no" },
  ],
  ['{"jsonrpc":"2.0","id":1,"error":"no"}', { kind: "error", id: 1, message: "no" }],
  [
    '{"jsonrpc":"2.0","method":"log","params":{"text":"a"}}',
    { kind: "notification", method: "log", params: { text: "a" } },
  ],
  [
    '{"jsonrpc":"2.0","method":"log","params":[1]}',
    { kind: "notification", method: "log", params: {} },
  ],
  ['{"jsonrpc":"2.0","id":"1","result":2}', "text"],
  [
    '{"jsonrpc":"2.0","id":1,"method":"ask"}',
    { kind: "error", id: 1, message: "the answer has neither a result nor an error" },
  ],
  ['{"jsonrpc":"1.0","id":1,"result":2}', "text"],
  ['[{"jsonrpc":"2.0","id":1,"result":2}]', "text"],
  ["{", "text"],
  ["", "text"],
])("reads %s", (line, expected) => {
  expect(readRpcMessage(line)).toEqual(
    expected === "text" ? { kind: "text", text: line } : expected,
  );
});

it("takes whatever is printed", () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.json(),
        fc.object().map((value) => JSON.stringify({ jsonrpc: "2.0", ...value })),
      ),
      (line) => {
        expect(["text", "result", "error", "notification"]).toContain(readRpcMessage(line).kind);
      },
    ),
  );
});
