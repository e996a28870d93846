import type { JsonValue } from "../../json/index.ts";

/** What a step emits. */
export type StepOutput = {
  /** Set for what was read from a Secret: its version, which tells of changes without its values. */
  readonly secretVersion?: string | undefined;
} & (
  | { readonly kind: "source"; readonly url: JsonValue; readonly revision: JsonValue }
  | { readonly kind: "image"; readonly image: JsonValue }
  | { readonly kind: "config"; readonly config: JsonValue }
  | { readonly kind: "none" }
);

/** The values of an output by the names that people know them by. */
export function outputValues(
  output: StepOutput,
): readonly (readonly [name: string, value: JsonValue])[] {
  switch (output.kind) {
    case "source":
      return [
        ["url", output.url],
        ["revision", output.revision],
      ];
    case "image":
      return [["image", output.image]];
    case "config":
      return [["config", output.config]];
    case "none":
      return [];
  }
}
