import type { LiveUpdateStep } from "../../../images/index.ts";
import {
  bool,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  text,
  typeName,
  type HostCall,
  type Value,
} from "../../starlark/index.ts";
import { commandLine, itemsOf, pathText, pathTexts } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { LiveUpdateStepValue } from "../values/live-update-step-value.ts";

/** The functions that make steps of a live update. */
export function liveUpdateFunctions(state: TiltfileState): Readonly<Record<string, Value>> {
  const step = (call: HostCall, data: LiveUpdateStep): Value => {
    const value = new LiveUpdateStepValue(data, state.placeOf(call));
    state.unusedSteps.add(value);
    return value;
  };
  return {
    initial_sync: hostFunction("initial_sync", (call) => {
      call.unpack({});
      return step(call, { kind: "initial-sync" });
    }),
    fall_back_on: hostFunction("fall_back_on", (call) => {
      const { paths } = call.unpack({ paths: required(pathTexts) });
      return step(call, {
        kind: "fall-back-on",
        paths: paths.map((path) => state.resolve(call, path)),
      });
    }),
    sync: hostFunction("sync", (call) => {
      const given = call.unpack({ local_path: required(pathText), remote_path: required(text) });
      if (!given.remote_path.startsWith("/")) {
        const shown = JSON.stringify(given.remote_path);
        throw new EvaluationError(`sync: remote_path must be absolute, which ${shown} is not`);
      }
      return step(call, {
        kind: "sync",
        localPath: state.resolve(call, given.local_path),
        containerPath: given.remote_path,
      });
    }),
    run: hostFunction("run", (call) => {
      const given = call.unpack({
        cmd: required(commandLine),
        trigger: optionalOrNone(pathTexts),
        echo_off: optionalOrNone(bool),
      });
      return step(call, {
        kind: "run",
        command: given.cmd,
        triggers: (given.trigger ?? []).map((path) => state.resolve(call, path)),
        isEchoOff: given.echo_off ?? false,
      });
    }),
    restart_container: hostFunction("restart_container", (call) => {
      call.unpack({});
      return step(call, { kind: "restart-container" });
    }),
  };
}

/** The steps of an argument `live_update`, which from then on count as used. */
export function liveUpdate(
  state: TiltfileState,
  call: HostCall,
  value: Value | undefined,
): readonly LiveUpdateStep[] {
  const steps = itemsOf(value).map((item) => {
    if (!(item instanceof LiveUpdateStepValue)) {
      throw new EvaluationError(`${call.name}: live_update: got ${typeName(item)}, want step`);
    }
    state.unusedSteps.delete(item);
    return item.data;
  });
  const problem = orderProblem(steps.map(({ kind }) => kind));
  if (problem !== undefined) {
    state.report(call, {
      code: "tiltfile.live-update",
      summary: `${call.name}: live_update: ${problem}`,
    });
  }
  return steps;
}

const order: readonly LiveUpdateStep["kind"][] = [
  "initial-sync",
  "fall-back-on",
  "sync",
  "run",
  "restart-container",
];

function orderProblem(kinds: readonly LiveUpdateStep["kind"][]): string | undefined {
  for (const [index, kind] of kinds.entries()) {
    const before = kinds[index - 1];
    if (before === undefined) continue;
    const name = kind.replaceAll("-", "_");
    if (order.indexOf(kind) < order.indexOf(before)) {
      return `${name} cannot come after ${before.replaceAll("-", "_")}`;
    }
    if (kind === before && (kind === "initial-sync" || kind === "restart-container")) {
      return `${name} can only be there once`;
    }
  }
  return undefined;
}

/** Steps that no image got are most likely a mistake. */
export function reportUnusedSteps(state: TiltfileState): void {
  for (const { data, source } of state.unusedSteps) {
    state.diagnostics.push({
      code: "tiltfile.live-update",
      severity: "error",
      summary: `this ${data.kind.replaceAll("-", "_")} step is in no live_update`,
      hint: "Put it into the live_update of docker_build, custom_build or k8s_custom_deploy.",
      source,
    });
  }
}
