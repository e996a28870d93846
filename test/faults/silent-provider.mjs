/** A provider that falls silent: FAULT says at which call and how. It ends only when it is killed. */
import { closeSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const [call, how] = (process.env.FAULT ?? "").split(":");
process.on("SIGTERM", () => {});
setInterval(() => {}, 1_000);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === call) {
    if (how === "closes") closeSync(1);
    writeFileSync(process.env.REACHED ?? "", String(process.pid));
    return;
  }
  if (id === undefined) return;
  const result = method === "operations" ? ["create", "read", "update", "delete", "find"] : null;
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`);
});
