import { onlyWord, switchFlag, textFlag } from "../../flag.ts";
/** What every command on a project takes beside the flags of its kind. */
export const projectFlags = {
  env: textFlag(
    "The environment, or environment:namespace; of keelson.json, or dev, unless given",
    "name",
  ),
} as const;

export interface ProjectFlags {
  readonly env?: string;
}

export const yesFlag = {
  yes: switchFlag("Do not ask on a terminal"),
} as const;

/** For commands whose arguments are about something else than the source. */
export const sourceFlag = {
  source: {
    kind: "parsed",
    parse: String,
    default: ".",
    brief: "The program or directory of the project",
    placeholder: "path",
  },
} as const;

export interface SourceFlags {
  readonly source: string;
}

export const sourcePositional = onlyWord(
  "A directory, a Tiltfile, a file, or - for standard input",
  "source",
  ".",
);
