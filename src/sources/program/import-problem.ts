import { fileURLToPath } from "node:url";
import type { Diagnostic } from "../../diagnostics/index.ts";
import type { LoadedModules } from "./loaded-modules.ts";

/** An import that leads nowhere, as the hook that resolves imports saw it. */
interface FailedImport {
  readonly specifier: string;
  /** The module with the import, as an address. */
  readonly importer: string | undefined;
}

const failedImports = new WeakMap<Error, FailedImport>();

/** Remembers which import an error is of. The error itself stays as programs may expect it. */
export function noteFailedImport(error: unknown, failed: FailedImport): void {
  if (error instanceof Error) failedImports.set(error, failed);
}

/** Says what is imported where, and what to do about it. */
export function importDiagnostic(error: Error, modules: LoadedModules): Diagnostic | undefined {
  const failed = failedImports.get(error);
  if (failed === undefined) return undefined;
  const { specifier, importer } = failed;
  const isPath = /^[./]/.test(specifier);
  const place =
    importer?.startsWith("file:") === true
      ? modules.placeOfText(fileURLToPath(importer), specifier)
      : undefined;
  return {
    code: "program.module-missing",
    severity: "error",
    summary: `The program imports ${JSON.stringify(specifier)}, which is not there`,
    ...(isPath ? {} : { detail: error.message }),
    hint: isPath
      ? "Correct the path; it is relative to the module with the import"
      : `Install the package: npm install ${packageOf(specifier)}`,
    ...(place === undefined ? {} : { source: place }),
  };
}

/**
 * A name that an imported module does not export. The engine reports it before any code runs, as a
 * syntax error whose stack begins with the module; nothing else tells it from other syntax errors.
 */
export function exportDiagnostic(error: Error, modules: LoadedModules): Diagnostic | undefined {
  const [, specifier, name] = missingExport.exec(error.message) ?? [];
  const [, address] = /^(file:\S+?):\d+\n/.exec(error.stack ?? "") ?? [];
  if (!(error instanceof SyntaxError) || specifier === undefined || name === undefined) {
    return undefined;
  }
  const place =
    address === undefined ? undefined : modules.placeOfText(fileURLToPath(address), specifier);
  return {
    code: "program.module-missing",
    severity: "error",
    summary: `The program imports ${name} from ${JSON.stringify(specifier)}, which does not export it`,
    hint: `Correct the name, or export it from ${JSON.stringify(specifier)}`,
    ...(place === undefined ? {} : { source: place }),
  };
}

const missingExport = /^The requested module '(.+)' does not provide an export named '(.+)'$/;

function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
