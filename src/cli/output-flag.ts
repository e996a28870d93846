export type OutputFormat = "text" | "json";

export interface OutputFlags {
  readonly output: OutputFormat;
}

/** The flag that every command with a result has. */
export const outputFlag = {
  output: {
    kind: "enum",
    values: ["text", "json"],
    default: "text",
    brief: "Text for people, or JSON: one object a line",
  },
} as const;

/** The output that a command line asks for, known even when the line cannot be parsed. */
export function outputOf(args: readonly string[]): OutputFormat {
  for (const [index, arg] of args.entries()) {
    if (arg === "--") break;
    if (arg === "--output=json" || arg === "-o=json") return "json";
    if ((arg === "--output" || arg === "-o") && args[index + 1] === "json") return "json";
  }
  return "text";
}
