import { hostFunction, type Value } from "../../starlark/index.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** Objects of Tilt's own API that do something, and what does the same here. */
const unsupported: Readonly<Record<string, string>> = {
  cmd: "Use local_resource.",
  config_map: "There is nothing here that would read it: remove the call.",
  file_watch: "Use local_resource with deps, or watch_file.",
  kubernetes_apply: "Use k8s_yaml or k8s_custom_deploy.",
  kubernetes_discovery: "Use k8s_resource with extra_pod_selectors.",
};

/** What only the page of Tilt shows, and the parts that objects of its API are made of. */
const ignored = [
  "cmd_image",
  "config_map_disable_source",
  "disable_source",
  "exec_action",
  "forward",
  "handler",
  "http_get_action",
  "http_header",
  "ignore_def",
  "kubernetes_apply_cmd",
  "kubernetes_discovery_template_spec",
  "kubernetes_image_locator",
  "kubernetes_image_object_descriptor",
  "kubernetes_watch_ref",
  "label_selector",
  "label_selector_requirement",
  "object_selector",
  "pod_log_stream_template_spec",
  "port_forward_template_spec",
  "probe",
  "restart_on_spec",
  "start_on_spec",
  "tcp_socket_action",
  "ui_bool_input_spec",
  "ui_button",
  "ui_choice_input_spec",
  "ui_component_location",
  "ui_hidden_input_spec",
  "ui_input_spec",
  "ui_text_input_spec",
];

/** The functions of `v1alpha1` beside those of extensions. */
export function apiObjects(state: TiltfileState): Readonly<Record<string, Value>> {
  const functions: Record<string, Value> = {};
  for (const name of ignored) {
    const full = `v1alpha1.${name}`;
    functions[name] = hostFunction(full, (call) => {
      if (!state.ignoredSettings.has(full)) state.ignoredSettings.set(full, state.placeOf(call));
      return null;
    });
  }
  for (const [name, hint] of Object.entries(unsupported)) {
    const full = `v1alpha1.${name}`;
    functions[name] = hostFunction(full, (call) => {
      const summary = `${full} is not supported: it makes an object of Tilt's own API`;
      state.report(call, { code: "tiltfile.not-supported", summary, hint });
      return null;
    });
  }
  return functions;
}
