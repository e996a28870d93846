import type { ComponentDirective } from "../../../assembly/index.ts";
import {
  bool,
  display,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  StarlarkDict,
  text,
  typeName,
  type Convert,
  type Value,
} from "../../starlark/index.ts";
import { itemsOf, textDict, textList, texts } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import {
  componentName,
  discoveryStrategy,
  podReadiness,
  triggerMode,
} from "./component-arguments.ts";
import { labelList } from "./labels.ts";
import { links } from "./link.ts";
import { oldSyntax } from "./old-syntax.ts";
import { portForwards } from "./port-forward.ts";
import { present } from "./present.ts";

/** `k8s_resource`: what it says is only noted; it is applied when all objects are known. */
export function k8sResource(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    k8s_resource: hostFunction("k8s_resource", (call) => {
      const old = oldSyntax(call);
      if (old !== undefined) {
        state.report(call, old);
        return null;
      }
      const given = call.unpack({
        workload: optionalOrNone(text),
        new_name: optionalOrNone(componentName),
        port_forwards: optionalOrNone(portForwards),
        extra_pod_selectors: optionalOrNone(podSelectors),
        trigger_mode: optionalOrNone(triggerMode),
        resource_deps: optionalOrNone(textList),
        objects: optionalOrNone(texts),
        auto_init: optionalOrNone(bool),
        pod_readiness: optionalOrNone(podReadiness),
        links: optionalOrNone(links),
        labels: optionalOrNone(labelList),
        discovery_strategy: optionalOrNone(discoveryStrategy),
      });
      const directive: ComponentDirective = {
        kind: "component",
        ...present({
          workload: nonEmpty(given.workload),
          newName: nonEmpty(given.new_name),
          portForwards: given.port_forwards,
          extraPodSelectors: given.extra_pod_selectors,
          triggerMode: given.trigger_mode,
          dependsOn: given.resource_deps,
          objects: given.objects,
          autoInit: given.auto_init,
          podReadiness: given.pod_readiness,
          links: given.links,
          labels: given.labels,
          discoveryStrategy: given.discovery_strategy,
          source: state.placeOf(call),
        }),
      };
      state.directives.push(directive);
      return null;
    }),
  };
}

function nonEmpty(given: string | undefined): string | undefined {
  return given === "" ? undefined : given;
}

const podSelectors: Convert<readonly Readonly<Record<string, string>>[]> = (value) => {
  if (value instanceof StarlarkDict) return value.length === 0 ? [] : [labelsOf(value)];
  return itemsOf(value).map((item) => {
    if (item instanceof StarlarkDict) return labelsOf(item);
    throw new EvaluationError(`got ${typeName(item)}, want dict or list of dicts`);
  });
};

/** Labels are strings: what a number would be printed as is a guess. */
function labelsOf(value: StarlarkDict): Readonly<Record<string, string>> {
  for (const [key, item] of value.entries()) {
    if (typeof item !== "string")
      throw new EvaluationError(`got ${typeName(item)} for ${display(key)}, want string`);
  }
  return textDict(value);
}
