import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const programCodes = {
  "program.not-replaced": {
    meaning:
      "An object must be replaced, and the new one would be refused, or the old one does not go.",
    remedy: "Correct the object; look at the finalizers of the old one.",
  },
  "program.no-log": {
    meaning: "A resource has no log: it has no pods, and its provider fetches none.",
    remedy: "Name a workload, or a resource whose provider knows logs.",
  },
  "program.no-stats": {
    meaning: "Nobody keeps numbers about a resource.",
    remedy: "Name a resource whose provider fetches them.",
  },
  "program.looks-renamed": {
    meaning:
      "A resource left and one of the same type came: it may be the same under another name.",
    remedy:
      "If it is, run the `keelson rename` that the message shows; else let it be deleted and created anew, with `keelson apply --accept-replacements` where nobody is asked.",
  },
  "program.other-entry": {
    meaning:
      "A program or Tiltfile stands beside the one that keelson.json names, and would have the same inventory.",
    remedy: 'Give it a folder with a keelson.json of its own, or name it there as "main".',
  },
  "program.recorded-already": {
    meaning: "A resource that something is recorded for is to become something else by an import.",
    remedy: "Give what you import a resource of its own in the program.",
  },
  "program.unknown-resource": {
    meaning: "No resource of the project goes by that name.",
    remedy: "`keelson names` lists all of them.",
  },
  "program.missing-config": {
    meaning:
      "The program requires a value that neither keelson.json nor the file of the environment has.",
    remedy: "Set it with the `keelson config set` that the message shows.",
  },
  "program.bad-config": {
    meaning: "A value of the configuration is not what the schema in the program takes.",
    remedy: "Correct the value; the message says what is wrong with it.",
  },
  "program.unknown-output": {
    meaning: "The program has no output of that name, or none was applied yet.",
    remedy: "`keelson output` lists all of them; a value that the main module exports is one.",
  },
  "program.name-taken": {
    meaning:
      "A resource cannot be renamed to a name that another one has, or to one of another type or environment.",
    remedy: "Choose another name.",
  },
  "program.unresolved": {
    meaning: "A value that a resource needs was not known when the resource was to be written.",
    remedy: "Run it again; if it stays so, the resource that should give the value does not.",
  },
  "program.provider-needed": {
    meaning: "Something outside of Kubernetes is to be deleted, and its provider is not at hand.",
    remedy: "Run the command in the directory of the program that made it.",
  },
  "program.interrupted-create": {
    meaning:
      "A run was killed while a provider made a resource, and the provider cannot tell whether it did.",
    remedy: "Look for the resource, and take it over with `keelson import`.",
  },
  "program.unrecorded-create": {
    meaning:
      "A provider created a resource, but its id could not be written to the cluster: the run had lost its Lease, or the API server did not answer any more.",
    remedy: "Take the resource over with `keelson import NAME ID`, as the message names them.",
  },
  "program.provisioned-decision": {
    meaning:
      "A program decides on a value that is known only after apply: by a condition, a comparison, arithmetic, iteration, a conversion, or a call to code that may do so.",
    remedy:
      "Compute from the value with output(value).map(fn), choose with when(condition, a, b), or plan in stages with --allow-provisioned-conditions.",
  },
  "program.deferred-result": {
    meaning:
      "A function given to map or each could not compute its value while applying: it gave no data, or used a value that it was not given.",
    remedy: "Pass every value that the function needs to output(), and return plain data.",
  },
  "program.outside-run": {
    meaning: "A resource was allocated while no program is evaluated.",
    remedy: "Run the program with keelson, for example keelson plan main.ts.",
  },
  "program.late-allocation": {
    meaning: "A resource is allocated by a function that computes a value while applying.",
    remedy: "Allocate resources while the program is evaluated, and give such functions data only.",
  },
  "program.missing-output": {
    meaning: "A program uses a property that its resource does not have after it was applied.",
    remedy: "Compute what holds without it: output(value).map((value) => value ?? fallback).",
  },
  "program.unknown-place": {
    meaning: "A resource is allocated, or its class defined, by code that Keelson does not read.",
    remedy: 'Declare "keelson": {} in the package.json of that package.',
  },
  "program.bad-arguments": {
    meaning: "A resource is allocated with an id, properties or options that it cannot have.",
    remedy: "Give (properties, options) or (id, properties, options), as the message says.",
  },
  "program.bad-value": {
    meaning: "A property of a resource holds something that is no data, such as a function.",
    remedy: "Use text, numbers, booleans, lists, objects and properties of other resources.",
  },
  "program.global-id": {
    meaning: "The property that names a resource everywhere is not known while planning.",
    remedy: "Set it to a text that does not come from another resource.",
  },
  "program.duplicate-name": {
    meaning: "Two resources of a program have the same name.",
    remedy: "Give each its own id as the first argument.",
  },
  "program.duplicate-alias": {
    meaning: "Two resources of a program claim the same former name.",
    remedy: "Leave the alias to the one that goes on with what exists.",
  },
  "program.automatic-number": {
    meaning: "Names rest on the order in which resources are allocated.",
    remedy: "Give the resources ids, as the message suggests.",
  },
  "program.unordered-allocation": {
    meaning: "Unnamed resources of one scope are allocated by code that runs concurrently.",
    remedy: "Give each an id as the first argument, or await one after the other.",
  },
  "program.provider-missing": {
    meaning: "A class has properties that a provider fills in, but its package has no provider.",
    remedy: 'Declare it in the package.json: "keelson": { "provider": "./provider.js" }.',
  },
  "program.dependency-cycle": {
    meaning: "Resources of a program wait for each other.",
    remedy: "Remove one of the references or dependsOn that the message lists.",
  },
  "program.missing": {
    meaning: "There is no program at the path that was given.",
    remedy: "Name a .ts, .js or .mjs file, or a directory with keelson.json or package.json.",
  },
  "program.project": {
    meaning: "A program has no project name, or its keelson.json or package.json is not readable.",
    remedy: 'Write { "project": "shop" } into a keelson.json beside the program.',
  },
  "program.type-error": {
    meaning: "The TypeScript compiler finds fault with a program.",
    remedy: "Correct it; programs run without their types being checked, so it may still work.",
  },
  "program.types-not-checked": {
    meaning: "`keelson check` could not let the TypeScript compiler look at a program.",
    remedy: "Install it in the project: npm install --save-dev typescript.",
  },
  "program.environment": {
    meaning: "The name of the environment cannot be part of names.",
    remedy: "Use a name such as staging, or staging:acmecorp.",
  },
  "program.module-missing": {
    meaning: "A program imports a module that is not there.",
    remedy: "Install the package, or correct the path.",
  },
  "program.syntax": {
    meaning: "A module of a program is not valid TypeScript or JavaScript.",
    remedy: "Correct it at the place that the message shows.",
  },
  "program.threw": {
    meaning: "A program threw an error while it was evaluated.",
    remedy: "The message is the program's own; the place is where it was thrown.",
  },
  "program.timeout": {
    meaning: "A program was still running when its time was over.",
    remedy: "Look for an endless loop or an open server, or give it more time.",
  },
  "program.stopped": {
    meaning: "The evaluation of a program was interrupted.",
    remedy: "Run the command again.",
  },
  "program.unfinished": {
    meaning: "A program ended before it was evaluated to its end.",
    remedy: "Let it not end the process, nor await promises that nobody settles.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
