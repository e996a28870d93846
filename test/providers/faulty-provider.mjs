/**
 * A provider that keeps things in a file and misbehaves as it is told: FAULT is `operation:kind`, and
 * happens at every call of that operation, or only before the file FAULT_ONCE exists.
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const { FAULT = "", FAULT_ONCE = "", STORE = "" } = process.env;
const [faultyOperation, kind] = FAULT.split(":");
const names = ["create", "read", "update", "delete", "check", "diff", "fetchLog", "fetchStats"];
const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
const load = () => (existsSync(STORE) ? JSON.parse(readFileSync(STORE, "utf8")) : {});
const save = (things) => writeFileSync(STORE, JSON.stringify(things));
const hanging = new Map();

const operations = {
  operations: () => names,
  create: ({ inputs }) => {
    const things = load();
    const id = `thing-${Object.keys(things).length + 1}`;
    save({ ...things, [id]: inputs });
    return { id, outputs: inputs };
  },
  read: ({ id }) => load()[id] ?? null,
  update: ({ id, newInputs }) => {
    save({ ...load(), [id]: newInputs });
    return newInputs;
  },
  delete: ({ id }) => {
    const { [id]: _gone, ...others } = load();
    save(others);
    return null;
  },
  check: () => [],
  diff: () => ({ changes: [], replace: [] }),
  fetchLog: (_params, call) => {
    send({ method: "line", params: { call, text: "one", timeMs: 1 } });
    send({ method: "line", params: { call, text: "two" } });
    return null;
  },
  fetchStats: () => [{ name: "things", unit: "1", points: [{ timeMs: 1, value: 1 }] }],
};

const faults = {
  fails: (id) => send({ id, error: { code: 1, message: "the disk is full\nit has 0 bytes left" } }),
  "fails-oddly": (id) => send({ id, error: 7 }),
  dies: () => {
    process.stderr.write("something terrible happened\n");
    setTimeout(() => process.exit(3), 10);
  },
  killed: () => process.kill(process.pid, "SIGKILL"),
  "dies-after": (id, method, params) => {
    operations[method](params, id);
    process.exit(4);
  },
  hangs: () => {},
  "hangs-until-cancelled": (id, method, params) =>
    hanging.set(id, () => send({ id, result: operations[method](params, id) })),
  "stops-when-cancelled": (id) =>
    hanging.set(id, () => send({ id, error: { code: 1, message: "cancelled" } })),
  garbage: (id, method, params) => {
    process.stdout.write('garbage on stdout\n{"jsonrpc": broken\n42\n{"a":1}\n');
    send({ id: 999, result: "nobody asked" });
    send({ method: "log", params: { call: id, text: "a line for the user" } });
    process.stderr.write("a line on stderr\n");
    send({ id, result: operations[method](params, id) });
  },
  flood: (id, method, params) => {
    process.stdout.write("noise\n".repeat(20_000));
    send({ id, result: operations[method](params, id) });
  },
  huge: (id) =>
    send({ id, result: { id: "huge-1", outputs: { text: "x".repeat(2 * 1024 * 1024) } } }),
  endless: () => process.stdout.write("x".repeat(17 * 1024 * 1024)),
  nothing: (id) => send({ id }),
  "wrong-shape": (id) => send({ id, result: { id: "odd-1", outputs: [1] } }),
  "no-id": (id) => send({ id, result: { outputs: {} } }),
  text: (id) => send({ id, result: "done" }),
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (process.env.CALLS) appendFileSync(process.env.CALLS, `${process.pid} ${method}\n`);
  if (method === "$/cancel") return hanging.get(params.id)?.();
  const isFaulty = method === faultyOperation && (FAULT_ONCE === "" || !existsSync(FAULT_ONCE));
  if (isFaulty && FAULT_ONCE !== "") writeFileSync(FAULT_ONCE, "");
  if (isFaulty) return faults[kind](id, method, params);
  send({ id, result: operations[method](params, id) });
});
