import { encodeText, hostFunction, required, type Value } from "../../starlark/index.ts";
import { texts } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** `k8s_context`, `k8s_namespace` and `allow_k8s_contexts`. */
export function clusterFunctions(state: TiltfileState): Readonly<Record<string, Value>> {
  const { context = "", namespace = "default" } = state.options;
  return {
    k8s_context: hostFunction("k8s_context", (call) => {
      call.unpack({});
      return encodeText(context);
    }),
    k8s_namespace: hostFunction("k8s_namespace", (call) => {
      call.unpack({});
      return encodeText(namespace);
    }),
    allow_k8s_contexts: hostFunction("allow_k8s_contexts", (call) => {
      const { contexts } = call.unpack({ contexts: required(texts) });
      state.settings.allowedContexts = [...state.settings.allowedContexts, ...contexts];
      return null;
    }),
  };
}
