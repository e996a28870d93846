import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const objectCodes = {
  "objects.file-missing": {
    meaning: "A file or directory that was named does not exist.",
    remedy: "Check the path; it is relative to the working directory.",
  },
  "objects.file-unreadable": {
    meaning: "A file or directory exists but could not be read.",
    remedy: "Check its permissions and that it is a file or a directory.",
  },
  "objects.directory-empty": {
    meaning: "A directory was named that holds no .yaml, .yml or .json file.",
    remedy: "Check the path; hidden files and directories are not read.",
  },
  "objects.left-out": {
    meaning:
      "Below a directory that was named, packages of a package manager, or what its ignore files name, were not read.",
    remedy:
      "Nothing, if that is as it should be. Else name the file or directory itself, or take it back in .keelsonignore with a line that begins with `!`.",
  },
  "objects.unrendered": {
    meaning: "A directory is a kustomization or a Helm chart, of which objects are yet to be made.",
    remedy: "Render it with kubectl or helm, and pipe what comes out into the command.",
  },
  "objects.input-empty": {
    meaning: "The standard input ended without any object.",
    remedy: "Pipe YAML or JSON into the command, or name a file instead of `-`.",
  },
  "objects.input-too-large": {
    meaning: "An input is larger than what is read at once.",
    remedy: "Split the input, or check that it is the file that was meant.",
  },
  "objects.not-text": {
    meaning: "A file is binary or not encoded as UTF-8.",
    remedy: "Check that it is a YAML or JSON file, and save it as UTF-8.",
  },
  "objects.yaml-syntax": {
    meaning: "A document is not valid YAML.",
    remedy: "Fix the place that the message points at.",
  },
  "objects.yaml-tab": {
    meaning: "A tab character stands where YAML wants spaces.",
    remedy: "Indent with spaces.",
  },
  "objects.json-syntax": {
    meaning: "A document is not valid JSON.",
    remedy: "Fix the place that the message points at.",
  },
  "objects.duplicate-key": {
    meaning: "A key occurs twice in one mapping, so that one value would be lost.",
    remedy: "Remove one of the two.",
  },
  "objects.invalid-key": {
    meaning: "A mapping has a key that cannot be a field name: null, a list or a mapping.",
    remedy:
      "Write the key as a string; if it starts with `{{`, the file is an unrendered template.",
  },
  "objects.invalid-value": {
    meaning: "A value cannot be written as JSON, or does not fit the tag before it.",
    remedy: "Write another value; quote it if it is meant as text.",
  },
  "objects.invalid-alias": {
    meaning: "An alias names no anchor before it, contains itself, or merges what is no mapping.",
    remedy: "Define the anchor earlier in the same document; quote a value that starts with `*`.",
  },
  "objects.too-many-aliases": {
    meaning: "The aliases of a document expand to far more values than it has itself.",
    remedy: "Write the repeated parts out, or drop the nesting of aliases.",
  },
  "objects.nested-too-deep": {
    meaning: "A document nests lists and mappings deeper than any Kubernetes object does.",
    remedy: "Check that the file is the one that was meant.",
  },
  "objects.not-an-object": {
    meaning: "A document, or an item of a List, is a list or a single value instead of an object.",
    remedy: "Each document must be a mapping with apiVersion, kind and metadata.",
  },
  "objects.field-missing": {
    meaning: "An object lacks apiVersion, kind or metadata.name.",
    remedy: "Add the field.",
  },
  "objects.field-type": {
    meaning: "A field that every object has is of the wrong type, or empty.",
    remedy: "Write a value of the type that the message names; quote text that reads as a number.",
  },
  "objects.generated-name": {
    meaning: "An object that is to be applied has no name, only generateName.",
    remedy: "Give it a metadata.name; an apply finds an object again by its name.",
  },
  "objects.duplicate-object": {
    meaning: "The same object occurs twice in the input.",
    remedy: "Remove one of the two, or give it another name or namespace.",
  },
  "objects.hooks-left-out": {
    meaning:
      "The input has Helm hooks that an apply does not run: tests, and hooks of deletions and rollbacks.",
    remedy: "Nothing needs to be done; remove them from the input to have it quiet.",
  },
  "objects.namespace-dropped": {
    meaning: "A cluster-scoped object names a namespace; it is ignored.",
    remedy: "Remove metadata.namespace from the object.",
  },
  "objects.third-party-resource": {
    meaning:
      "A ThirdPartyResource, which no API server knows any longer, is taken as the CustomResourceDefinition that it means.",
    remedy: "Write the CustomResourceDefinition instead.",
  },
  "objects.invalid-third-party-resource": {
    meaning: "A ThirdPartyResource does not say which kind, group or versions it means.",
    remedy: "Name it <kind-in-words>.<group> and list its versions.",
  },
  "objects.server-fields-dropped": {
    meaning: "An object holds a resourceVersion or managed fields, which only a server writes.",
    remedy: "Remove them from metadata; they come from what a cluster printed.",
  },
  "objects.uid-dropped": {
    meaning: "An object has a metadata.uid, which only a server gives; it is left out.",
    remedy: "Remove metadata.uid from the object.",
  },
  "objects.json-path-syntax": {
    meaning: "A JSON path is not written in kubectl's dialect.",
    remedy: "Compare with `{.spec.containers[?(@.name=='web')].image}`.",
  },
  "objects.json-path-evaluation": {
    meaning:
      "A JSON path cannot be applied to an object: a key or index is not there, or types differ.",
    remedy: "Compare the path with the object.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
