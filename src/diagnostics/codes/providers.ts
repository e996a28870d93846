import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const providerCodes = {
  "provider.unknown-package": {
    meaning: "A resource belongs to a package that was not found.",
    remedy: "Install the package; the message says where it was looked for.",
  },
  "provider.not-declared": {
    meaning: "The package of a resource was found, and its package.json names no provider.",
    remedy: 'Add `"keelson": { "provider": "./provider.js" }` to the package.json of the package.',
  },
  "provider.invalid-declaration": {
    meaning: "The package.json of a package cannot be read, or names its provider in a wrong way.",
    remedy: "Name a module, or an object with the command that runs the provider.",
  },
  "provider.ambiguous": {
    meaning: "Two packages of the same name have a provider.",
    remedy: "Remove or rename one of the two; the message says where both are.",
  },
  "provider.not-loaded": {
    meaning: "The module of a provider is missing, or failed while it was loaded.",
    remedy: "Correct the module; the message says what was looked for and what went wrong.",
  },
  "provider.not-started": {
    meaning: "The command of a provider could not be started, or did not say what it can do.",
    remedy: "Run the command by hand in the folder of the package.",
  },
  "provider.invalid": {
    meaning: "A provider lacks operations, or has some of the wrong kind.",
    remedy: "Let it have create, read, update and delete; the message says what is wrong.",
  },
  "provider.failed": {
    meaning: "A provider refused an operation on a resource, or failed at it.",
    remedy: "The message is the provider's own; correct the inputs or what it complains of.",
  },
  "provider.crashed": {
    meaning: "The process of a provider ended before it answered.",
    remedy: "Read its last lines; it is started again for the next call, so run the command again.",
  },
  "provider.timed-out": {
    meaning: "A provider did not answer in time.",
    remedy: "Run the command again, or allow more time with the option `timeouts` of the resource.",
  },
  "provider.cancelled": {
    meaning: "An operation of a provider was given up because the command was interrupted.",
    remedy: "Run the command again to go on.",
  },
  "provider.invalid-answer": {
    meaning: "A provider answered with something that is no answer to that operation.",
    remedy: "Correct the provider; the message says what was expected.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
