import { type Diagnostic, DiagnosticError } from "../../diagnostics/index.ts";
import { fieldAt, type JsonValue } from "../../json/index.ts";
import { maskTexts } from "../../objects/index.ts";
import type { KnownOutputs, ProgramGraph, ProgramResource } from "../../resources/index.ts";
import { fieldSteps } from "../../schema/index.ts";

type Resolve = (deferred: number, outputs: KnownOutputs) => Promise<JsonValue>;

/** What a function of the program says when it fails may hold the secrets that it was given. */
export function hidingSecrets(resolve: Resolve, { resources }: ProgramGraph): Resolve {
  const byName = new Map(resources.map((resource) => [resource.name, resource]));
  return async (deferred, outputs) => {
    try {
      return await resolve(deferred, outputs);
    } catch (error) {
      if (!(error instanceof DiagnosticError)) throw error;
      const secrets = [...outputs].flatMap(([name, value]) => secretsIn(byName.get(name), value));
      throw new DiagnosticError(error.diagnostics.map((each) => withoutTexts(each, secrets)));
    }
  };
}

function secretsIn(
  resource: ProgramResource | undefined,
  outputs: JsonValue,
): readonly JsonValue[] {
  const secret = (resource?.options.secret ?? []).map(fieldSteps);
  return secret.flatMap((path) => (fieldAt(outputs, ...path) ?? []) as JsonValue);
}

function withoutTexts(diagnostic: Diagnostic, secrets: readonly JsonValue[]): Diagnostic {
  const { summary, detail } = diagnostic;
  return {
    ...diagnostic,
    summary: maskTexts(summary, secrets),
    ...(detail === undefined ? {} : { detail: maskTexts(detail, secrets) }),
  };
}
