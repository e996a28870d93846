import { DiagnosticError } from "../../../diagnostics/index.ts";
import type { JsonObject } from "../../../json/index.ts";
import {
  helmTemplate,
  type HelmValues,
  isRemoteChart,
  kustomizeBuild,
  type Hydrated,
} from "../../hydrate/index.ts";
import {
  bool,
  type Convert,
  dataFromValue,
  hostFunction,
  optionalOrNone,
  required,
  StarlarkDict,
  text,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import { itemsOf, pathText, texts } from "../tiltfile-arguments.ts";
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
        values: optionalOrNone(helmValues),
        set: optionalOrNone(texts),
        kube_version: optionalOrNone(text),
        skip_crds: optionalOrNone(bool),
        repo: optionalOrNone(text),
        version: optionalOrNone(text),
        plain_http: optionalOrNone(bool),
      });
      const { paths, repo } = given;
      const isRemote = isRemoteChart({ chart: paths, repo });
      const chart = isRemote ? paths : state.resolve(call, paths);
      const hydrated = helmTemplate(
        {
          chart,
          repo,
          version: given.version,
          plainHttp: given.plain_http,
          name: given.name,
          namespace: given.namespace,
          values: given.values,
          set: given.set,
          kubeVersion: given.kube_version,
          skipCrds: given.skip_crds,
        },
        state.tools(call),
      );
      return blobOf(state, call, hydrated, `helm: ${isRemote ? chart : state.displayPath(chart)}`);
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

/** Paths, and values as a dict. */
const helmValues: Convert<readonly HelmValues[]> = (value) =>
  itemsOf(value).map((item) =>
    item instanceof StarlarkDict ? (dataFromValue(item) as JsonObject) : pathText(item),
  );

function blobOf(state: TiltfileState, call: HostCall, hydrated: Hydrated, origin: string): Blob {
  for (const path of hydrated.inputs) state.watch(path);
  const { yaml, diagnostics } = hydrated;
  if (yaml === undefined) throw new DiagnosticError(diagnostics);
  state.diagnostics.push(...diagnostics);
  call.allocate(yaml.length);
  return new Blob(origin, yaml);
}
