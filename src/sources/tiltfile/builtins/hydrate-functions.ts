import { DiagnosticError } from "../../../diagnostics/index.ts";
import { helmTemplate, kustomizeBuild, type Hydrated } from "../../hydrate/index.ts";
import {
  bool,
  hostFunction,
  optionalOrNone,
  required,
  text,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import { pathText, pathTexts, texts } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { Blob } from "../values/blob.ts";

/** `helm` and `kustomize`: YAML out of charts and kustomizations, as a blob. */
export function hydrateFunctions(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    helm: hostFunction("helm", (call) => {
      const given = call.unpack({
        paths: required(pathText),
        name: optionalOrNone(text),
        namespace: optionalOrNone(text),
        values: optionalOrNone(pathTexts),
        set: optionalOrNone(texts),
        kube_version: optionalOrNone(text),
        skip_crds: optionalOrNone(bool),
      });
      const chart = state.resolve(call, given.paths);
      const hydrated = helmTemplate(
        {
          chart,
          name: given.name,
          namespace: given.namespace,
          values: given.values,
          set: given.set,
          kubeVersion: given.kube_version,
          skipCrds: given.skip_crds,
        },
        state.tools(call),
      );
      return blobOf(state, call, hydrated, `helm: ${state.displayPath(chart)}`);
    }),

    kustomize: hostFunction("kustomize", (call) => {
      const given = call.unpack({
        paths: required(pathText),
        kustomize_bin: optionalOrNone(text),
        flags: optionalOrNone(texts),
      });
      const directory = state.resolve(call, given.paths);
      const hydrated = kustomizeBuild(
        { directory, flags: given.flags, program: given.kustomize_bin },
        state.tools(call),
      );
      return blobOf(state, call, hydrated, `kustomize: ${state.displayPath(directory)}`);
    }),
  };
}

function blobOf(state: TiltfileState, call: HostCall, hydrated: Hydrated, origin: string): Blob {
  for (const path of hydrated.inputs) state.watch(path);
  const { yaml, diagnostics } = hydrated;
  if (yaml === undefined) throw new DiagnosticError(diagnostics);
  state.diagnostics.push(...diagnostics);
  call.allocate(yaml.length);
  return new Blob(origin, yaml);
}
