import {
  anyValue,
  bool,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import type { LocalCommand, LocalResource } from "../local-resource.ts";
import {
  commandLine,
  filePatterns,
  pathText,
  pathTexts,
  textDict,
  textList,
} from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { instanceOf, ProbeValue } from "../values/tiltfile-values.ts";
import { componentName, triggerMode } from "./component-arguments.ts";
import { present } from "./present.ts";
import { labelList } from "./labels.ts";
import { links } from "./link.ts";

/** `local_resource`: a component that runs commands of this machine; `test` is its old name for tests. */
export function localResource(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    local_resource: hostFunction("local_resource", (call) => declareLocal(state, call, false)),
    test: hostFunction("test", (call) => {
      state.warn(call, {
        code: "tiltfile.deprecated",
        summary: "test() is an old name of local_resource()",
        hint: "Write local_resource(…, allow_parallel=True).",
      });
      return declareLocal(state, call, true);
    }),
  };
}

function declareLocal(state: TiltfileState, call: HostCall, allowsParallel: boolean): Value {
  const given = call.unpack(parameters);
  const { name } = given;
  if (name === "") throw new EvaluationError(`${call.name}: name is empty`);
  const update = commandOf(state, call, given.cmd, given.dir, given.env);
  const serve = commandOf(state, call, given.serve_cmd, given.serve_dir, given.serve_env);
  if (update === undefined && serve === undefined) {
    throw new EvaluationError(`${call.name}: ${name} has neither cmd nor serve_cmd`);
  }
  const lonely =
    update === undefined && isGiven(given.dir)
      ? ["dir", "cmd"]
      : serve === undefined && isGiven(given.serve_dir)
        ? ["serve_dir", "serve_cmd"]
        : undefined;
  if (lonely !== undefined)
    throw new EvaluationError(`${call.name}: ${name} has ${lonely.join(" without ")}`);
  const source = state.placeOf(call);
  const resource: LocalResource = {
    name,
    dependencies: (given.deps ?? []).map((path) => state.resolve(call, path)),
    ignore: given.ignore ?? [],
    ignoreDirectory: state.directoryOf(call),
    allowsParallel: given.allow_parallel ?? allowsParallel,
    source,
    ...present({ update, serve, readinessProbe: given.readiness_probe }),
  };
  state.localResources.push(resource);
  state.directives.push({
    kind: "local",
    name,
    ...present({
      dependsOn: given.resource_deps,
      links: given.links,
      labels: given.labels,
      triggerMode: given.trigger_mode,
      autoInit: given.auto_init,
      source,
    }),
  });
  return null;
}

function isGiven(path: string | undefined): boolean {
  return path !== undefined && path !== "";
}

const parameters = {
  name: required(componentName),
  cmd: optionalOrNone(commandLine),
  deps: optionalOrNone(pathTexts),
  trigger_mode: optionalOrNone(triggerMode),
  resource_deps: optionalOrNone(textList),
  ignore: optionalOrNone(filePatterns),
  auto_init: optionalOrNone(bool),
  serve_cmd: optionalOrNone(commandLine),
  cmd_bat: optionalOrNone(anyValue),
  serve_cmd_bat: optionalOrNone(anyValue),
  allow_parallel: optionalOrNone(bool),
  links: optionalOrNone(links),
  labels: optionalOrNone(labelList),
  env: optionalOrNone(textDict),
  serve_env: optionalOrNone(textDict),
  readiness_probe: optionalOrNone(instanceOf(ProbeValue, "probe")),
  dir: optionalOrNone(pathText),
  serve_dir: optionalOrNone(pathText),
};

/** A command with its directory, which is that of the Tiltfile unless said otherwise. */
export function commandOf(
  state: TiltfileState,
  call: HostCall,
  command: readonly string[] | undefined,
  directory: string | undefined,
  environment: Readonly<Record<string, string>> | undefined,
): LocalCommand | undefined {
  if (command === undefined || command.length === 0) return undefined;
  const path = directory === undefined || directory === "" ? "." : directory;
  return { command, directory: state.resolve(call, path), environment: environment ?? {} };
}
