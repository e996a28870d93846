import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { fail } from "../../diagnostics/index.ts";
import { replacePrivateFile } from "../../processes/private-file.ts";
import { defaultDataFolder, restoreSnapshot, takeSnapshot } from "../../sandbox/index.ts";
import type { CommandHandler } from "../command.ts";
import type { CliContext } from "../context.ts";
import { exitCode } from "../exit-code.ts";
import type { SnapshotFlags } from "./sandbox.ts";

export const runSnapshot: CommandHandler<SnapshotFlags, [file: string]> = async (
  context,
  flags,
  file,
) => {
  const folder = folderOf(context, flags);
  const snapshot = await takeSnapshot(folder);
  if (file === "-") {
    context.process.stdout.write(snapshot);
    return exitCode.success;
  }
  const path = resolve(context.workingDirectory, file);
  attempt("sandbox.snapshot-unwritable", `writing the snapshot ${path}`, () => {
    // Secrets are in it.
    replacePrivateFile(path, snapshot);
  });
  const objects = snapshot.split("\n").length - 2;
  say(
    context,
    flags,
    { type: "snapshot", file: path, objects },
    `${objects} objects are kept in ${path}`,
  );
  return exitCode.success;
};

export const runRestore: CommandHandler<SnapshotFlags, [file: string]> = async (
  context,
  flags,
  file,
) => {
  const folder = folderOf(context, flags);
  const path = file === "-" ? "the standard input" : resolve(context.workingDirectory, file);
  const snapshot =
    file === "-"
      ? await text(context.stdin)
      : attempt("sandbox.snapshot-unreadable", `reading the snapshot ${path}`, () =>
          readFileSync(path, "utf8"),
        );
  const { objects, setAside } = await restoreSnapshot(folder, snapshot, path);
  const kept = setAside === undefined ? "" : `; the former ones are kept in ${setAside}`;
  say(
    context,
    flags,
    { type: "restored", file: path, objects, ...(setAside === undefined ? {} : { setAside }) },
    `${objects} objects are restored${kept}`,
  );
  return exitCode.success;
};

function folderOf(context: CliContext, { data }: SnapshotFlags): string {
  return resolve(context.workingDirectory, data ?? defaultDataFolder(context.process.env));
}

function attempt<T>(
  code: "sandbox.snapshot-unwritable" | "sandbox.snapshot-unreadable",
  doing: string,
  work: () => T,
): T {
  try {
    return work();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    fail({ code, summary: `${doing}: ${why}`, hint: "give another file", cause: error });
  }
}

function say(context: CliContext, flags: SnapshotFlags, event: object, line: string): void {
  context.process.stdout.write(
    flags.output === "json" ? `${JSON.stringify(event)}\n` : `${line}\n`,
  );
}
