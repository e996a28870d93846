import type { ProviderContext, ProviderHost } from "../../../providers/index.ts";
import type { JsonObject } from "../../../json/index.ts";
import type { CliContext } from "../../context.ts";
import { folderOf } from "../../../engine/index.ts";
import { hostOf } from "../../host-of.ts";

/** The providers that the packages of a project bring. */
export async function projectProviders(context: CliContext, input: string): Promise<ProviderHost> {
  const { openProviders } = await import("../../../providers/index.ts");
  return openProviders({
    projectFolder: await folderOf(hostOf(context), input),
    environment: context.process.env,
  });
}

/** What a provider is told when somebody looks rather than applies. */
export function lookingContext(
  context: CliContext,
  about: {
    readonly type: string;
    readonly name: string;
    readonly outputs?: JsonObject | undefined;
  },
  signal: AbortSignal,
): ProviderContext {
  return {
    type: about.type,
    name: about.name,
    ...(about.outputs === undefined ? {} : { outputs: about.outputs }),
    signal,
    log: (line) => {
      const { dim, log } = context.style.stderr;
      context.process.stderr.write(`${dim(log(line))}\n`);
    },
  };
}
