import { fail } from "../diagnostics/index.ts";
import type { ProviderHost } from "./provider.ts";

/** Opens providers by the names of their packages. */
export function openProviders(_options: {
  readonly projectFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}): ProviderHost {
  return {
    provider: (packageName) =>
      fail({ code: "program.provider-needed", summary: `there is no provider of ${packageName}` }),
    close: () => Promise.resolve(),
  };
}
