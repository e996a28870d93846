import { writeYaml, type KubernetesObject, type SourcedObject } from "../../../objects/index.ts";
import { compileRegularExpression } from "../../../schema/index.ts";
import {
  anyValue,
  EvaluationError,
  hostFunction,
  optionalOrNone,
  required,
  StarlarkTuple,
  text,
  type Value,
} from "../../starlark/index.ts";
import { textDict } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { Blob } from "../values/blob.ts";
import { readYaml } from "./k8s-yaml.ts";

/** `filter_yaml`: parts objects in those that match and the others. */
export function filterYaml(state: TiltfileState): Readonly<Record<string, Value>> {
  return {
    filter_yaml: hostFunction("filter_yaml", (call) => {
      const { yaml, labels, ...patterns } = call.unpack({
        yaml: required(anyValue),
        labels: optionalOrNone(textDict),
        name: optionalOrNone(text),
        namespace: optionalOrNone(text),
        kind: optionalOrNone(text),
        api_version: optionalOrNone(text),
      });
      const tests = [
        labelTest(labels ?? {}),
        patternTest("name", patterns.name, ({ metadata }) => metadata.name ?? ""),
        patternTest(
          "namespace",
          patterns.namespace,
          ({ metadata }) => metadata.namespace ?? "default",
        ),
        patternTest("kind", patterns.kind, ({ kind }) => kind),
        patternTest("api_version", patterns.api_version, ({ apiVersion }) => apiVersion),
      ];
      const matching: SourcedObject[] = [];
      const rest: SourcedObject[] = [];
      for (const sourced of readYaml(state, call, yaml)) {
        (tests.every((test) => test(sourced.object)) ? matching : rest).push(sourced);
      }
      return new StarlarkTuple([blobOf(matching), blobOf(rest)]);
    }),
  };
}

function blobOf(sourced: readonly SourcedObject[]): Blob {
  const objects = sourced.map(({ object }) => object);
  return new Blob("filter_yaml", () => writeYaml(objects), objects);
}

type ObjectTest = (object: KubernetesObject) => boolean;

function labelTest(labels: Readonly<Record<string, string>>): ObjectTest {
  const wanted = Object.entries(labels);
  return ({ metadata }) => wanted.every(([name, value]) => metadata.labels?.[name] === value);
}

function patternTest(
  parameter: string,
  pattern: string | undefined,
  take: (object: KubernetesObject) => string,
): ObjectTest {
  if (pattern === undefined || pattern === "") return () => true;
  const expression = compileRegularExpression(`(?i)${pattern}`);
  if (typeof expression === "string") {
    throw new EvaluationError(`filter_yaml: ${parameter}: ${expression}`);
  }
  return (object) => expression.test(take(object));
}
