import { hydrateFailure, timeoutMs, type Hydrated, type HydrateTools } from "./hydrated.ts";

const mostShown = 4000;

/** Runs a command that prints YAML; what else happens becomes a diagnostic with its own words. */
export function runTool(
  command: readonly string[],
  { run, environment, directory }: HydrateTools,
  whenMissing: () => Hydrated,
  input?: string,
):
  | { readonly kind: "yaml"; readonly yaml: string }
  | { readonly kind: "failed"; readonly failed: Hydrated } {
  const outcome = run({ command, directory, environment, input, timeoutMs });
  if (outcome.kind === "not-found") return { kind: "failed", failed: whenMissing() };
  const shown = command.join(" ");
  if (outcome.kind === "failed") {
    const summary = `\`${shown}\` was stopped: ${outcome.reason}`;
    return { kind: "failed", failed: hydrateFailure("hydrate.command-failed", summary) };
  }
  const { status, stdout, stderr } = outcome;
  if (status === 0) return { kind: "yaml", yaml: stdout };
  const how = status === undefined ? "was ended by a signal" : `ended with status ${status}`;
  const said = stderr.trim().slice(0, mostShown);
  return {
    kind: "failed",
    failed: hydrateFailure(
      "hydrate.command-failed",
      `\`${shown}\` ${how}`,
      said === "" ? {} : { detail: said },
    ),
  };
}
