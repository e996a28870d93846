/** What every command on a project takes beside the flags of its kind. */
export const projectFlags = {
  env: {
    kind: "parsed",
    parse: String,
    optional: true,
    brief: "The environment, or environment:namespace; of keelson.json, or dev, unless given",
    placeholder: "name",
  },
} as const;

export interface ProjectFlags {
  readonly env?: string;
}

export const yesFlag = {
  yes: { kind: "boolean", default: false, brief: "Do not ask on a terminal" },
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

export const sourcePositional = {
  kind: "tuple",
  parameters: [
    {
      brief: "A directory, a Tiltfile, a file, or - for standard input",
      placeholder: "source",
      parse: String,
      default: ".",
    },
  ],
} as const;
