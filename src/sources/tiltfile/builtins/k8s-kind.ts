import type { ImageObject } from "../../../assembly/index.ts";
import { parseJsonPath } from "../../../objects/index.ts";
import { compileRegularExpression } from "../../../schema/index.ts";
import {
  decodeText,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  StarlarkDict,
  text,
  typeName,
  type Convert,
  type Value,
} from "../../starlark/index.ts";
import { textDict, texts } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { podReadiness } from "./component-arguments.ts";
import { present } from "./present.ts";

/** `k8s_kind` and `k8s_image_json_path`: what is a workload, and where objects name images. */
export function k8sKind(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    k8s_kind: hostFunction("k8s_kind", (call) => {
      if (call.args.length > 1) {
        throw new EvaluationError(
          `k8s_kind: got ${call.args.length} arguments, want 1; name the others`,
        );
      }
      const given = call.unpack({
        kind: required(pattern),
        api_version: optionalOrNone(pattern),
        image_json_path: optionalOrNone(jsonPaths),
        image_object: optionalOrNone(imageObject),
        pod_readiness: optionalOrNone(podReadiness),
      });
      if (given.image_json_path !== undefined && given.image_object !== undefined) {
        throw new EvaluationError("k8s_kind: image_json_path and image_object exclude each other");
      }
      if (given.kind === "") throw new EvaluationError("k8s_kind: kind is empty");
      state.directives.push({
        kind: "workload-kind",
        objectKind: given.kind,
        ...present({
          apiVersion: given.api_version === "" ? undefined : given.api_version,
          imageJsonPaths: given.image_json_path,
          imageObject: given.image_object,
          podReadiness: given.pod_readiness,
          source: state.placeOf(call),
        }),
      });
      return null;
    }),

    k8s_image_json_path: hostFunction("k8s_image_json_path", (call) => {
      const { paths, ...given } = call.unpack({
        paths: required(jsonPaths),
        api_version: optionalOrNone(pattern),
        kind: optionalOrNone(pattern),
        name: optionalOrNone(pattern),
        namespace: optionalOrNone(pattern),
      });
      if (paths.length === 0) throw new EvaluationError("k8s_image_json_path: paths is empty");
      const { kind = "", name = "", namespace = "" } = given;
      if (kind === "" && name === "" && namespace === "") {
        throw new EvaluationError(
          "k8s_image_json_path: give at least one of kind, name and namespace",
        );
      }
      state.directives.push({
        kind: "image-path",
        jsonPaths: paths,
        ...present({
          apiVersion: given.api_version === "" ? undefined : given.api_version,
          objectKind: kind === "" ? undefined : kind,
          name: name === "" ? undefined : name,
          namespace: namespace === "" ? undefined : namespace,
          source: state.placeOf(call),
        }),
      });
      return null;
    }),
  };
}

/** A word, or a regular expression as Go has them. */
const pattern: Convert<string> = (value) => {
  const given = text(value);
  const compiled = compileRegularExpression(given);
  if (typeof compiled !== "string") return given;
  throw new EvaluationError(`${JSON.stringify(given)} is no regular expression: ${compiled}`);
};

const jsonPaths: Convert<readonly string[]> = (value) => texts(value).map(checkedPath);

function checkedPath(path: string): string {
  const [problem] = parseJsonPath(path).diagnostics;
  if (problem === undefined) return path;
  throw new EvaluationError(`${JSON.stringify(path)} is no JSON path: ${problem.summary}`);
}

const imageObject: Convert<ImageObject> = (value) => {
  if (!(value instanceof StarlarkDict)) {
    throw new EvaluationError(`got ${typeName(value)}, want dict`);
  }
  const {
    json_path: jsonPath = "",
    repo_field: repoField = "",
    tag_field: tagField = "",
  } = textDict(value);
  const isWhole = jsonPath !== "" && repoField !== "" && tagField !== "";
  const known = new Set(["json_path", "repo_field", "tag_field"]);
  const isKnown = value
    .keys()
    .every((key) => typeof key === "string" && known.has(decodeText(key)));
  if (!isWhole || !isKnown) {
    throw new EvaluationError("want a dict with exactly json_path, repo_field and tag_field");
  }
  return { jsonPath: checkedPath(jsonPath), repoField, tagField };
};
