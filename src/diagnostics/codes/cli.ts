import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const cliCodes = {
  "cli.file-exists": {
    meaning: "A file that would be written is there already.",
    remedy: "Choose another directory, or use --force.",
  },
  "cli.no-definitions": {
    meaning: "There is no CustomResourceDefinition to make types of.",
    remedy: "Name the files that hold them, or a cluster that has some.",
  },
  "cli.declined": {
    meaning: "You did not agree to what was about to be done.",
    remedy: "Run it again and answer y, or use --yes.",
  },
  "cli.no-project": {
    meaning:
      "Neither keelson.json nor package.json names the project whose inventory is to be used.",
    remedy: 'Write {"project": "NAME"} into keelson.json beside the input.',
  },
  "cli.several-sources": {
    meaning: "A Tiltfile or a program was given together with other inputs.",
    remedy: "Give one of them alone; a Tiltfile or program can name further inputs itself.",
  },
  "cli.usage": {
    meaning: "The command line has an unknown command, an unknown flag or a bad value.",
    remedy: "Compare with the command's --help.",
  },
  "cli.system": {
    meaning: "The system refused to read or write a file: the disk is full, or you may not.",
    remedy: "The message names the file; the hint says what to do.",
  },
  "cli.internal": {
    meaning: "Keelson failed in a way that it does not know: a defect of Keelson.",
    remedy: "Run again with KEELSON_DEBUG=1 and report what it prints.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
