import { DiagnosticError } from "../diagnostics/index.ts";
import type { JsonValue } from "../json/index.ts";
import { maskTexts } from "../objects/index.ts";
import type { ProvisionedRecord } from "../plan/index.ts";
import type { Provider, ProviderContext } from "../providers/index.ts";

/** A provider that repeats none of the secrets that it is given, neither in its log nor in what goes wrong. */
export function hidingProvider(provider: Provider, secrets: readonly JsonValue[]): Provider {
  if (secrets.length === 0) return provider;
  const hiding = async <Result>(
    context: ProviderContext,
    work: (context: ProviderContext) => Promise<Result>,
  ): Promise<Result> => {
    const log = (line: string): void => {
      context.log(maskTexts(line, secrets));
    };
    try {
      return await work({ ...context, log });
    } catch (error) {
      throw error instanceof DiagnosticError ? withoutTexts(error, secrets) : error;
    }
  };
  const { find, diff } = provider;
  return {
    ...provider,
    create: (inputs, context) => hiding(context, (own) => provider.create(inputs, own)),
    read: (id, context) => hiding(context, (own) => provider.read(id, own)),
    update: (id, before, after, context) =>
      hiding(context, (own) => provider.update(id, before, after, own)),
    delete: (id, context) => hiding(context, (own) => provider.delete(id, own)),
    ...(find === undefined
      ? {}
      : { find: (inputs, context) => hiding(context, (own) => find(inputs, own)) }),
    ...(diff === undefined
      ? {}
      : { diff: (before, after, context) => hiding(context, (own) => diff(before, after, own)) }),
  };
}

/** The values of a record that are secret. */
export function secretsIn({ spec, status }: ProvisionedRecord): readonly JsonValue[] {
  const places = [spec.inputs, status?.inputs, status?.outputs];
  return (spec.secret ?? []).flatMap((name) => places.flatMap((place) => place?.[name] ?? []));
}

/** The same error, of the same class, in other words. Its causes say what they were told, and are left out. */
function withoutTexts(error: DiagnosticError, secrets: readonly JsonValue[]): DiagnosticError {
  const diagnostics = error.diagnostics.map(({ cause: _cause, ...diagnostic }) => ({
    ...diagnostic,
    summary: maskTexts(diagnostic.summary, secrets),
    ...(diagnostic.detail === undefined ? {} : { detail: maskTexts(diagnostic.detail, secrets) }),
  }));
  const message = maskTexts(error.message, secrets);
  return Object.create(error, {
    diagnostics: { value: diagnostics },
    message: { value: message },
    stack: { value: message },
    cause: { value: undefined },
  }) as DiagnosticError;
}
