import {
  anyValue,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  text,
  type Value,
} from "../../starlark/index.ts";
import type { CustomDeploy } from "../custom-deploy.ts";
import { commandLine, pathText, pathTexts, textDict, textList } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { present } from "./present.ts";
import { liveUpdate } from "./live-update.ts";
import { commandOf } from "./local-resource.ts";
import { componentName } from "./component-arguments.ts";

/** `k8s_custom_deploy`: a component that commands put into the cluster. */
export function customDeploy(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    k8s_custom_deploy: hostFunction("k8s_custom_deploy", (call) => {
      const given = call.unpack(parameters);
      const { name, image_selector: image = "", container_selector: container = "" } = given;
      const apply = commandOf(state, call, given.apply_cmd, given.apply_dir, given.apply_env);
      const remove = commandOf(state, call, given.delete_cmd, given.delete_dir, given.delete_env);
      if (apply === undefined) throw new EvaluationError("k8s_custom_deploy: apply_cmd is empty");
      if (remove === undefined) throw new EvaluationError("k8s_custom_deploy: delete_cmd is empty");
      const steps = liveUpdate(state, call, given.live_update);
      if (image !== "" && container !== "") {
        throw new EvaluationError(
          "k8s_custom_deploy: image_selector and container_selector exclude each other",
        );
      }
      if (steps.length > 0 && image === "" && container === "") {
        throw new EvaluationError(
          "k8s_custom_deploy: live_update needs image_selector or container_selector",
        );
      }
      const source = state.placeOf(call);
      const deploy: CustomDeploy = {
        name,
        apply,
        delete: remove,
        dependencies: given.deps.map((path) => state.resolve(call, path)),
        imageDependencies: given.image_deps ?? [],
        liveUpdate: steps,
        source,
        ...(image === "" ? {} : { container: { kind: "image", reference: image } as const }),
        ...(container === "" ? {} : { container: { kind: "name", name: container } as const }),
      };
      state.customDeploys.push(deploy);
      state.directives.push({ kind: "local", name, deploys: true, ...present({ source }) });
      return null;
    }),
  };
}

const parameters = {
  name: required(componentName),
  apply_cmd: required(commandLine),
  delete_cmd: required(commandLine),
  deps: required(pathTexts),
  image_selector: optionalOrNone(text),
  live_update: optionalOrNone(anyValue),
  apply_dir: optionalOrNone(pathText),
  apply_env: optionalOrNone(textDict),
  apply_cmd_bat: optionalOrNone(anyValue),
  delete_dir: optionalOrNone(pathText),
  delete_env: optionalOrNone(textDict),
  delete_cmd_bat: optionalOrNone(anyValue),
  container_selector: optionalOrNone(text),
  image_deps: optionalOrNone(textList),
};
