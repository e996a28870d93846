import { stateFolder } from "../../processes/index.ts";
import type { Provider } from "../provider.ts";
import { localCommand } from "./local-command.ts";
import { localFile } from "./local-file.ts";
import { localProcess } from "./local-process.ts";
import { randomId, randomPassword } from "./random.ts";
import { providerOfTypes } from "./resource-type.ts";

/** The package whose provider is part of Keelson. */
export const builtInPackage = "keelson";

export interface BuiltInOptions {
  /** Where relative paths start. */
  readonly projectFolder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** The provider of `local` and `random`. */
export function openBuiltIns(options: BuiltInOptions): Required<Provider> {
  const stateFolder = localStateFolder(options.environment);
  const machine = { ...options, stateFolder };
  return providerOfTypes(
    new Map([
      ["keelson:local/File", localFile(options.projectFolder)],
      ["keelson:local/Command", localCommand(machine)],
      ["keelson:local/Process", localProcess(machine)],
      ["keelson:random/Id", randomId],
      ["keelson:random/Password", randomPassword],
    ]),
  );
}

/** What is known of commands and processes of this machine, and of nothing else. */
function localStateFolder(environment: BuiltInOptions["environment"]): string {
  return stateFolder(environment, "local");
}
