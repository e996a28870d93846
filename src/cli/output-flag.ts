/** What a command prints: text for people, its own JSON, or that of kpt. */
export type OutputFormat = "text" | "json" | "kpt-json";

export interface OutputFlags {
  readonly output: "text" | "json";
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
  const [group, command = ""] = args;
  const isRun = group === "live" && ["apply", "destroy", "status"].includes(command);
  for (const [index, arg] of args.entries()) {
    if (arg === "--") break;
    const [flag, value = args[index + 1]] = arg.split("=", 2);
    if (flag !== "--output" && flag !== "-o") continue;
    if (value === "json") return isRun ? "kpt-json" : "json";
    if (value === "events-json" && isRun) return "json";
  }
  return "text";
}

/** The output of diagnostics beside what a run prints. */
export function reportFormat(output: string | undefined): OutputFormat {
  return output === "json" || output === "kpt-json" ? output : "text";
}
