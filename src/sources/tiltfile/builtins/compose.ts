import {
  anyValue,
  bool,
  hostFunction,
  optionalOrNone,
  required,
  text,
  type Value,
} from "../../starlark/index.ts";
import { textList, texts } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { triggerMode } from "./component-arguments.ts";
import { labelList } from "./labels.ts";
import { links } from "./link.ts";

/** `docker_compose` and `dc_resource` are understood, but there is nothing to run them with. */
export function compose(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    docker_compose: hostFunction("docker_compose", (call) => {
      call.unpack({
        configPaths: required(anyValue),
        env_file: optionalOrNone(text),
        project_name: optionalOrNone(text),
        profiles: optionalOrNone(texts),
        wait: optionalOrNone(bool),
      });
      state.report(call, {
        code: "tiltfile.not-supported",
        summary:
          "docker_compose is not supported: components run on Kubernetes or as local commands",
        hint: "Run the services with local_resource('compose', serve_cmd='docker compose up'), or turn them into Kubernetes objects with `kompose convert` and give those to k8s_yaml.",
      });
      return null;
    }),
    dc_resource: hostFunction("dc_resource", (call) => {
      const { name } = call.unpack({
        name: required(text),
        trigger_mode: optionalOrNone(triggerMode),
        resource_deps: optionalOrNone(textList),
        links: optionalOrNone(links),
        labels: optionalOrNone(labelList),
        auto_init: optionalOrNone(bool),
        project_name: optionalOrNone(text),
        new_name: optionalOrNone(text),
        infer_links: optionalOrNone(bool),
      });
      state.report(call, {
        code: "tiltfile.not-supported",
        summary: `dc_resource is not supported: there is no service ${name} without docker_compose`,
        hint: `Remove the call, and give the options to k8s_resource or local_resource for what replaces ${name}.`,
      });
      return null;
    }),
  };
}
