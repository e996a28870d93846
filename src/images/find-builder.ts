import { DiagnosticError } from "../diagnostics/index.ts";
import { type Builder, builderNames, builders } from "./builder.ts";
import type { RunCommand } from "./run-command.ts";

export interface FindBuilderOptions {
  /** The builder that the user named; otherwise the first that works is taken. */
  readonly named?: string | undefined;
  readonly directory: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  readonly run: RunCommand;
}

/** The program that builds images here; none is an error that says what was tried. */
export async function findBuilder(options: FindBuilderOptions): Promise<Builder> {
  const { named } = options;
  const known = builderNames.find((name) => name === named);
  if (named !== undefined && named !== "" && known === undefined) {
    throw new DiagnosticError([
      {
        code: "images.no-builder",
        severity: "error",
        summary: `${JSON.stringify(named)} is not a builder; there are ${builderNames.join(", ")}`,
        hint: "set KEELSON_BUILDER to one of them, or to nothing",
      },
    ]);
  }
  const tried: string[] = [];
  for (const name of known === undefined ? builderNames : [known]) {
    const builder = builders[name];
    const { status, lastLines } = await options.run({
      command: builder.probe,
      directory: options.directory,
      environment: options.environment,
      signal: options.signal,
      onLine: () => {},
    });
    if (status === 0) return builder;
    tried.push(`${name}: ${lastLines.at(-1) ?? "it does not work"}`);
  }
  throw new DiagnosticError([
    {
      code: "images.no-builder",
      severity: "error",
      summary: "images must be built, and no builder works on this machine",
      detail: tried.join("\n"),
      hint: "install docker, podman or buildah, or start the docker engine",
    },
  ]);
}
