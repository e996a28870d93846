import type { WorkloadId } from "../../../assembly/index.ts";
import type { Diagnostic } from "../../../diagnostics/index.ts";
import {
  decodeText,
  encodeText,
  EvaluationError,
  hostFunction,
  int,
  required,
  StarlarkFunction,
  StarlarkStruct,
  typeName,
  type Convert,
  type Interpreter,
  type Value,
} from "../../starlark/index.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** `workload_to_resource_function` and `k8s_resource_assembly_version`. */
export function naming(
  state: TiltfileState,
  interpreter: () => Interpreter,
): Readonly<Record<string, Value>> {
  return {
    workload_to_resource_function: hostFunction("workload_to_resource_function", (call) => {
      const { fn } = call.unpack({ fn: required(namingFunction) });
      const source = state.placeOf(call);
      state.directives.push({
        kind: "name-workloads",
        nameOf: (workload) => nameOf(state, interpreter(), fn, workload),
        ...(source === undefined ? {} : { source }),
      });
      return null;
    }),

    k8s_resource_assembly_version: hostFunction("k8s_resource_assembly_version", (call) => {
      const { version } = call.unpack({ version: required(int) });
      const isLate =
        state.objects.length > 0 ||
        state.directives.some(({ kind }) => kind === "component" || kind === "local");
      const hint = "See docs/tiltfile-migration.md.";
      const code = "tiltfile.assembly-version";
      if (isLate) {
        state.report(call, {
          code,
          summary: "k8s_resource_assembly_version must be called before any resource is given",
          hint: "Remove the call: version 2 is the only one there is.",
        });
      } else if (version === 1) {
        state.report(call, {
          code,
          summary:
            "k8s_resource_assembly_version(1): resources are no longer made from images, but from workloads",
          hint,
        });
      } else if (version === 2) {
        state.warn(call, {
          code: "tiltfile.assembly-version-deprecated",
          summary:
            "k8s_resource_assembly_version(2) is not needed: version 2 is the only one there is",
          hint: "Remove the call.",
        });
      } else {
        state.report(call, {
          code,
          summary: `k8s_resource_assembly_version(${version}): there is no such version`,
          hint: "Remove the call: version 2 is the only one there is.",
        });
      }
      return null;
    }),
  };
}

const namingFunction: Convert<StarlarkFunction> = (value) => {
  if (!(value instanceof StarlarkFunction)) {
    throw new EvaluationError(`got ${typeName(value)}, want function`);
  }
  const { parameterCount } = value.code;
  if (parameterCount === 1) return value;
  throw new EvaluationError(
    `${value.name} takes ${parameterCount} parameters, want one, the K8SObjectID`,
  );
};

function nameOf(
  state: TiltfileState,
  interpreter: Interpreter,
  fn: StarlarkFunction,
  workload: WorkloadId,
): string | Diagnostic {
  const { value, diagnostics } = interpreter.call(fn, [objectId(workload)]);
  const [problem] = diagnostics;
  const { name, kind, namespace } = workload;
  const subject = `${kind} ${namespace === "" ? "" : `${namespace}/`}${name}`;
  if (problem !== undefined) return { ...problem, subject };
  if (typeof value === "string" && value !== "") return decodeText(value);
  const what = value === "" ? "an empty string" : typeName(value ?? null);
  return {
    code: "tiltfile.naming-function",
    severity: "error",
    summary: `${fn.name} returned ${what} for ${subject}, not a name`,
    hint: "Return a string that is not empty for every workload.",
    subject,
    source: state.rangeOf(fn.position),
  };
}

/** What a naming function gets. */
function objectId(workload: WorkloadId): Value {
  const { name, kind, namespace, group } = workload;
  const fields = Object.entries({ name, kind, namespace, group });
  return new StarlarkStruct(
    fields.map(([field, text]): [string, Value] => [field, encodeText(text)]),
    encodeText("K8SObjectID"),
  );
}
