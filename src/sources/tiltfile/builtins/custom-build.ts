import type { CustomBuild } from "../../../images/index.ts";
import {
  anyValue,
  bool,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  text,
  type Value,
} from "../../starlark/index.ts";
import {
  commandLine,
  filePatterns,
  pathText,
  pathTexts,
  textDict,
  textList,
} from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { declareImage, emptyAsNone } from "./docker-build.ts";
import { imageReference } from "./image-reference.ts";
import { present } from "./present.ts";
import { liveUpdate } from "./live-update.ts";

/** `custom_build`: an image that a command builds. */
export function customBuild(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    custom_build: hostFunction("custom_build", (call) => {
      const given = call.unpack(parameters);
      const { tag = "", outputs_image_ref_to: outputsTo = "" } = given;
      if (given.command.length === 0) throw new EvaluationError("custom_build: command is empty");
      if (tag !== "" && outputsTo !== "") {
        throw new EvaluationError("custom_build: tag and outputs_image_ref_to exclude each other");
      }
      const imageDependencies = given.image_deps ?? [];
      const definition: CustomBuild = {
        kind: "custom",
        reference: given.ref,
        command: given.command,
        directory: state.resolve(call, given.dir ?? "."),
        environment: given.env ?? {},
        dependencies: given.deps.map((path) => state.resolve(call, path)),
        ignore: given.ignore ?? [],
        liveUpdate: liveUpdate(state, call, given.live_update),
        pushesItself: given.disable_push ?? false,
        skipsLocalStore: given.skips_local_docker ?? false,
        imageDependencies,
        ...present({
          tag: tag === "" ? undefined : tag,
          outputsReferenceTo: outputsTo === "" ? undefined : state.resolve(call, outputsTo),
          entrypoint: emptyAsNone(given.entrypoint),
          containerArgs: given.container_args,
        }),
      };
      declareImage(state, call, definition, {
        matchInEnvVars: given.match_in_env_vars,
        baseImages: imageDependencies,
      });
      return null;
    }),
  };
}

const parameters = {
  ref: required(imageReference),
  command: required(commandLine),
  deps: required(pathTexts),
  tag: optionalOrNone(text),
  disable_push: optionalOrNone(bool),
  skips_local_docker: optionalOrNone(bool),
  live_update: optionalOrNone(anyValue),
  match_in_env_vars: optionalOrNone(bool),
  ignore: optionalOrNone(filePatterns),
  entrypoint: optionalOrNone(commandLine),
  container_args: optionalOrNone(textList),
  command_bat_val: optionalOrNone(anyValue),
  outputs_image_ref_to: optionalOrNone(pathText),
  command_bat: optionalOrNone(anyValue),
  image_deps: optionalOrNone(textList),
  env: optionalOrNone(textDict),
  dir: optionalOrNone(pathText),
};
