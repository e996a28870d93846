import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const tiltfileCodes = {
  "tiltfile.assembly-version": {
    meaning:
      "`k8s_resource_assembly_version` asks for a way of assembling that does not exist, or is called too late.",
    remedy: "Remove the call; docs/tiltfile-migration.md shows how to change the other calls.",
  },
  "tiltfile.assembly-version-deprecated": {
    meaning: "`k8s_resource_assembly_version(2)` says what is the case anyway.",
    remedy: "Remove the call.",
  },
  "tiltfile.command-failed": {
    meaning: "A command that the Tiltfile runs with `local` failed.",
    remedy: "Run the command by hand in the directory of the Tiltfile, and fix what it reports.",
  },
  "tiltfile.config": {
    meaning:
      "The arguments after `--`, or the file tilt_config.json, do not fit what the Tiltfile defines with `config`.",
    remedy: "The message lists what is defined.",
  },
  "tiltfile.deprecated": {
    meaning: "The Tiltfile uses an old name of a function.",
    remedy: "The hint names the function of today.",
  },
  "tiltfile.extension": {
    meaning: "An extension was not found, or cannot be fetched.",
    remedy:
      "Set KEELSON_EXTENSION_PATH to a directory that holds the extension as NAME/Tiltfile, or register a repository with v1alpha1.extension_repo.",
  },
  "tiltfile.file": {
    meaning: "A file or directory that the Tiltfile names cannot be read.",
    remedy: "Correct the path; it is relative to the Tiltfile that is being run.",
  },
  "tiltfile.ignored-setting": {
    meaning: "The Tiltfile calls functions that only concern Tilt itself; they do nothing here.",
    remedy: "Nothing has to be done.",
  },
  "tiltfile.live-update": {
    meaning: "The steps of a live update are in an order or of a kind that cannot work.",
    remedy: "Order them as the message says.",
  },
  "tiltfile.missing-image": {
    meaning: "A build or a deployment by command depends on an image that nothing builds.",
    remedy: "Declare the image with docker_build or custom_build, or take it out of image_deps.",
  },
  "tiltfile.naming-function": {
    meaning: "The function given to `workload_to_resource_function` did not return a name.",
    remedy: "Return a string that is not empty for every workload.",
  },
  "tiltfile.not-supported": {
    meaning: "The Tiltfile uses something that Keelson does not do.",
    remedy: "The message says what to do instead.",
  },
  "tiltfile.old-syntax": {
    meaning: "`k8s_resource` is called the way it was before workloads became components.",
    remedy: "Replace the call by the one in the message; docs/tiltfile-migration.md explains it.",
  },
  "tiltfile.stopped": {
    meaning: "The evaluation of a Tiltfile was interrupted while a command of it ran.",
    remedy: "Run it again.",
  },
  "tiltfile.unknown-component": {
    meaning:
      "The command line, or `config.set_enabled_resources`, names a component that is not there.",
    remedy: "Correct the name; the message lists those that there are.",
  },
  "tiltfile.warning": {
    meaning: "The Tiltfile itself gave a warning with `warn`.",
    remedy: "Ask whoever wrote the Tiltfile.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
