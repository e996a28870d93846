import type { GivenObject } from "../../../assembly/index.ts";
import type { SourceRange } from "../../../diagnostics/index.ts";
import type { JsonValue } from "../../../json/index.ts";
import {
  objectsFromValues,
  readObjectsFromText,
  type SourcedObject,
} from "../../../objects/index.ts";
import {
  anyValue,
  bool,
  EvaluationError,
  formatPlace,
  hostFunction,
  optional,
  required,
  typeName,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import { itemsOf, pathText } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { Blob } from "../values/blob.ts";

/** `k8s_yaml`: objects of files and blobs are handed over for assembly. */
export function k8sYaml(state: TiltfileState): Readonly<Record<string, Value>> {
  let calls = 0;
  return {
    k8s_yaml: hostFunction("k8s_yaml", (call) => {
      const { yaml, allow_duplicates: allowDuplicates = false } = call.unpack({
        yaml: required(anyValue),
        allow_duplicates: optional(bool),
      });
      const givenAt = state.placeOf(call);
      const objects = readYaml(state, call, yaml);
      if (objects.length === 0 && isNothing(yaml)) {
        state.report(call, {
          code: "tiltfile.file",
          summary: "k8s_yaml: there is no YAML in what it is given",
        });
      }
      const givenWith = `k8s_yaml ${++calls}`;
      state.addObjects(
        objects.map((object) => given({ ...object, givenWith }, allowDuplicates, givenAt)),
      );
      return null;
    }),
  };
}

/** An empty list or text is most likely the result of something that failed; an empty file is a file. */
function isNothing(value: Value): boolean {
  return itemsOf(value).every((item) => item instanceof Blob && item.text.trim() === "");
}

function given(
  object: SourcedObject,
  allowDuplicates: boolean,
  givenAt: SourceRange | undefined,
): GivenObject {
  return {
    ...object,
    ...(allowDuplicates ? { allowDuplicates } : {}),
    ...(givenAt === undefined ? {} : { givenAt }),
  };
}

/** The objects of paths and blobs. What is wrong with them is reported, and the rest is read. */
export function readYaml(
  state: TiltfileState,
  call: HostCall,
  value: Value,
): readonly SourcedObject[] {
  const objects: SourcedObject[] = [];
  for (const item of value === null ? [value] : itemsOf(value)) {
    if (typeof item !== "string" && !(item instanceof Blob) && !isPath(item)) {
      throw new EvaluationError(`${call.name}: got ${typeName(item)}, want path or blob`);
    }
    for (const object of item instanceof Blob
      ? readBlob(state, call, item)
      : readPath(state, call, item)) {
      objects.push(object);
    }
  }
  call.step(objects.length);
  return objects;
}

function isPath(value: Value): boolean {
  return typeof value === "object" && value !== null && "path" in value;
}

function readPath(state: TiltfileState, call: HostCall, value: Value): readonly SourcedObject[] {
  const path = state.resolve(call, pathText(value));
  state.watch(path);
  const shown = state.displayPath(path);
  const kind = state.files.kindOf(path);
  if (kind === "directory") {
    state.report(call, {
      code: "tiltfile.file",
      summary: `${call.name}: ${shown} is a directory`,
      hint: `Name its files: ${call.name}(listdir(${JSON.stringify(pathText(value))})). A kustomization goes through kustomize(…), a chart through helm(…).`,
    });
    return [];
  }
  if (kind === undefined) {
    state.report(call, { code: "tiltfile.file", summary: `${call.name}: ${shown} does not exist` });
    return [];
  }
  return readInto(state, call, shown, state.readText(path));
}

function readBlob(state: TiltfileState, call: HostCall, blob: Blob): readonly SourcedObject[] {
  const place = state.placeOf(call);
  if (blob.documents !== undefined && place !== undefined) {
    const documents = blob.documents as readonly JsonValue[];
    const objects = objectsFromValues(documents, { file: blob.origin, sourceOf: () => place });
    if (objects !== undefined) return objects;
  }
  return readInto(state, call, blob.origin, blob.text);
}

function readInto(
  state: TiltfileState,
  call: HostCall,
  name: string,
  text: string,
): readonly SourcedObject[] {
  const { objects, diagnostics } = readObjectsFromText(name, text);
  const place = call.position === undefined ? "" : formatPlace(call.position);
  for (const diagnostic of diagnostics) {
    const detail = [diagnostic.detail, `It was given to ${call.name} at ${place}.`];
    state.diagnostics.push({
      ...diagnostic,
      detail: detail.filter((part) => part !== undefined).join("\n"),
    });
  }
  return objects;
}
