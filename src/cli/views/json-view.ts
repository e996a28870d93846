import { stringifyJson } from "../../json/index.ts";
import type { OutputStream } from "../context.ts";
import type { RunView } from "./run-view.ts";

/** Every event as one line of JSON. */
export function jsonView(stdout: OutputStream): RunView {
  return {
    show: ({ timestamp, ...event }) => {
      stdout.write(`${stringifyJson({ timestamp, ...event })}\n`);
    },
    close: () => {},
  };
}
