import type { EngineHost } from "../host.ts";

/** Inputs as they are opened and shown. */
export function inputPaths(host: EngineHost, inputs: readonly string[]): readonly string[] {
  return inputs.map((input) => (input === "-" ? input : host.pathOf(input)));
}
