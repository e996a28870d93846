import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const assemblyCodes = {
  "assembly.invalid-identifier": {
    meaning: "A text is not an identifier of the form name:kind:namespace:group.",
    remedy: "Fix the place that the message points at; write `\\:` for a colon in a name.",
  },
  "assembly.invalid-name": {
    meaning: "A component was to get an empty name.",
    remedy: "Give it a name, or let it keep its own.",
  },
  "assembly.ambiguous-workload": {
    meaning: "An identifier matches more than one workload.",
    remedy: "Add the kind, the namespace or the group, as the message shows.",
  },
  "assembly.ambiguous-name": {
    meaning: "A text is the identifier of one workload and the name of another component.",
    remedy: "Write a longer identifier of the one that is meant.",
  },
  "assembly.unknown-workload": {
    meaning: "Options are set for a workload that is not there.",
    remedy: "Correct the identifier, or give the object of the workload too.",
  },
  "assembly.incomplete-component": {
    meaning: "A component is described without a workload, and without a new name or objects.",
    remedy: "Say which workload is meant, or give both a new name and objects.",
  },
  "assembly.name-taken": {
    meaning: "Two components would have the same name.",
    remedy: "Give one of them another name.",
  },
  "assembly.ambiguous-object": {
    meaning: "An identifier in the objects of a component matches more than one object.",
    remedy: "Add the kind, the namespace or the group, as the message shows.",
  },
  "assembly.unknown-object": {
    meaning: "An identifier in the objects of a component matches no object.",
    remedy: "Correct the identifier, or give the object too.",
  },
  "assembly.workload-in-objects": {
    meaning: "The objects of a component name a workload, which is a component of its own.",
    remedy: "Take it out of the objects.",
  },
  "assembly.object-claimed-twice": {
    meaning: "One object is put into two components.",
    remedy: "Name it in the objects of one of the two.",
  },
  "assembly.unknown-dependency": {
    meaning: "A component is to wait for a component that is not there.",
    remedy: "Correct the name, or take it out; it is ignored.",
  },
  "assembly.dependency-cycle": {
    meaning: "A component waits for itself, or several wait for each other.",
    remedy: "Take one of the dependencies out.",
  },
  "assembly.invalid-image": {
    meaning: "The name of an image cannot be read, or is none.",
    remedy: "Correct the name of the image, or the path that leads to it.",
  },
  "assembly.duplicate-image": {
    meaning: "Two builds make the same image.",
    remedy: "Remove one of the two builds, or give one a tag of its own.",
  },
  "assembly.unused-image": {
    meaning: "An image is built that no object and no other build uses.",
    remedy: "Compare its name with the images of the objects.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
