import { setTimeout as pause } from "node:timers/promises";
import { DiagnosticError } from "../diagnostics/index.ts";
import { openBuiltIns } from "./built-in/built-in-package.ts";
import { findPackage } from "./find/find-package.ts";
import { loadModule } from "./find/load-module.ts";
import { readDeclaration } from "./find/read-declaration.ts";
import { openProcessBackend } from "./process/process-backend.ts";
import type { Provider, ProviderHost } from "./provider.ts";
import type { Backend } from "./run/backend.ts";
import { guardProvider } from "./run/guard-provider.ts";
import { moduleBackend } from "./run/module-backend.ts";
import { type ProviderTimeouts, timeoutOf } from "./timeouts.ts";

export interface OpenProvidersOptions {
  readonly projectFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Folders of packages that the program uses and that are not in node_modules. */
  readonly packageFolders?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timeouts?: ProviderTimeouts | undefined;
}

const longestCloseMs = 4_000;

/** Finds, loads and keeps the providers of a project; nothing is started before it is asked for. */
export function openProviders(options: OpenProvidersOptions): ProviderHost {
  const timeouts = options.timeouts ?? {};
  const providers = new Map<string, Promise<Provider>>();
  const openings = new Set<Promise<Backend>>();
  const closing = new AbortController();
  const signal =
    options.signal === undefined
      ? closing.signal
      : AbortSignal.any([options.signal, closing.signal]);

  const open = async (packageName: string): Promise<Provider> => {
    const opening = openBackend(packageName, { ...options, signal }, timeouts);
    openings.add(opening);
    const backend = await unlessAborted(opening, signal, packageName);
    return guardProvider(backend, { packageName, timeouts, signal: options.signal });
  };

  return {
    provider: (packageName, asked = signal) => {
      if (closing.signal.aborted) return Promise.reject(closedError(packageName));
      const known = providers.get(packageName);
      if (known !== undefined) return unlessAborted(known, asked, packageName);
      const opening = open(packageName);
      providers.set(packageName, opening);
      // What could not be opened may have been repaired until it is asked for again.
      opening.catch(() => providers.delete(packageName));
      return unlessAborted(opening, asked, packageName);
    },
    close: async () => {
      closing.abort();
      // Closed while it was opened: a process ends soon, and a module that hangs is not waited for.
      const opened = Promise.allSettled([...openings].map(async (each) => (await each).close()));
      await Promise.race([opened, pause(longestCloseMs, undefined, { ref: false })]);
    },
  };
}

async function openBackend(
  packageName: string,
  options: OpenProvidersOptions,
  timeouts: ProviderTimeouts,
): Promise<Backend> {
  const { projectFolder, environment } = options;
  const manifest = await findPackage(packageName, {
    projectFolder,
    packageFolders: options.packageFolders ?? [],
  });
  if (manifest === undefined) {
    return moduleBackend(openBuiltIns({ projectFolder, environment }), packageName, "built in");
  }
  const declaration = readDeclaration(manifest);
  const loadMs = timeoutOf(timeouts, "load");
  if (declaration.kind === "module") {
    const { folder } = manifest;
    const { value, file } = await loadModule({
      packageName,
      folder,
      path: declaration.path,
      loadMs,
    });
    return moduleBackend(value, packageName, file);
  }
  return openProcessBackend({
    packageName,
    where: `${declaration.command.join(" ")} in ${manifest.folder}`,
    command: declaration.command,
    folder: manifest.folder,
    environment,
    loadMs,
    cancelMs: timeoutOf(timeouts, "cancel"),
    signal: options.signal,
  });
}

/** What is waited for no longer than somebody wants it: a provider that is silent would hold up the end. */
async function unlessAborted<Value>(
  waited: Promise<Value>,
  signal: AbortSignal,
  packageName: string,
): Promise<Value> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => {
    aborted.reject(interruptedStart(packageName));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([waited, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function interruptedStart(packageName: string): DiagnosticError {
  return new DiagnosticError([
    {
      code: "provider.cancelled",
      severity: "error",
      summary: `the provider of the package ${JSON.stringify(packageName)} was interrupted while it started`,
    },
  ]);
}

function closedError(packageName: string): DiagnosticError {
  return new DiagnosticError([
    {
      code: "provider.cancelled",
      severity: "error",
      summary: `the provider of the package ${JSON.stringify(packageName)} is needed, and the command is ending`,
    },
  ]);
}
