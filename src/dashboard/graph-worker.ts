/** Runs in a thread of its own: lays out graphs, so that the server goes on answering meanwhile. */
import { parentPort } from "node:worker_threads";
import { Graphviz } from "@hpcc-js/wasm-graphviz";

const graphviz = await Graphviz.load();

parentPort?.on("message", (dot: string) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread is no window
  parentPort?.postMessage(graphviz.layout(dot, "plain", "dot"));
});
