/**
 * Stands in for a cloud: keeps things in a file beside it, counts every change, and at one of them
 * does what fault.json says: fails; dies or hangs before or after it has made the change; or makes it and
 * answers with something else.
 */
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createInterface } from "node:readline";

const store = new URL("cloud.json", import.meta.url);
const fault = new URL("fault.json", import.meta.url);
const load = () =>
  existsSync(store) ? JSON.parse(readFileSync(store, "utf8")) : { things: {}, calls: 0, made: 0 };

/** Thrown where no answer is to come. */
const hang = Symbol("hang");

/** Makes one change, or what the fault makes of it. */
function change(work) {
  const state = load();
  state.calls += 1;
  writeFileSync(store, JSON.stringify(state));
  const planned = existsSync(fault) ? JSON.parse(readFileSync(fault, "utf8")) : undefined;
  const isDue = planned?.at === state.calls;
  if (isDue) rmSync(fault);
  if (isDue && planned.how === "fails") throw new Error("the cloud says no");
  if (isDue && planned.how === "dies-before") process.exit(3);
  if (isDue && planned.how === "hangs-before") throw hang;
  const result = work(state);
  writeFileSync(store, JSON.stringify(state));
  if (isDue && planned.how === "dies-after") process.exit(4);
  if (isDue && planned.how === "hangs-after") throw hang;
  if (isDue && planned.how === "lies") return "done";
  if (isDue && planned.how === "lies-about-outputs")
    return result?.id === undefined ? 7 : { id: result.id, outputs: 7 };
  return result;
}

const outputsOf = ({ inputs }) => ({ echo: `${inputs.value}!`, size: String(inputs.value).length });
const operations = {
  operations: () => ["create", "read", "update", "delete", "diff", "find"],
  create: ({ inputs, context }) =>
    change((state) => {
      state.made += 1;
      const id = `thing-${state.made}`;
      state.things[id] = { name: context.name, inputs };
      return { id, outputs: outputsOf(state.things[id]) };
    }),
  read: ({ id }) => {
    const thing = load().things[id];
    return thing === undefined ? null : outputsOf(thing);
  },
  update: ({ id, newInputs }) =>
    change((state) => {
      state.things[id].inputs = newInputs;
      return outputsOf(state.things[id]);
    }),
  delete: ({ id }) =>
    change((state) => {
      delete state.things[id];
      return null;
    }),
  diff: ({ oldInputs, newInputs }) => ({
    changes: Object.keys(newInputs),
    replace: oldInputs.zone === newInputs.zone ? [] : ["zone"],
  }),
  find: ({ inputs, context }) => {
    const found = Object.entries(load().things).find(
      ([, { name, inputs: own }]) =>
        name === context.name && JSON.stringify(own) === JSON.stringify(inputs),
    );
    return found === undefined ? null : { id: found[0], outputs: outputsOf(found[1]) };
  },
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  let answer;
  try {
    answer = { result: operations[method](params) };
  } catch (error) {
    if (error === hang) return;
    answer = { error: { code: 1, message: error.message } };
  }
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`);
});
