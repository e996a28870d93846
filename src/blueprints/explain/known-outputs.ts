import type { JsonValue } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { Input, Step } from "../model/blueprint.ts";
import type { TemplateOutput } from "../model/template.ts";
import { emittedKey } from "../requirements/judge.ts";
import { readOutput } from "../stamping/read-output.ts";
import type { StepOutput } from "../stamping/outputs.ts";

/** What a step will emit, as far as it can be told on paper. */
export interface PaperOutput {
  readonly output: StepOutput;
  /** The values that only the cluster knows. */
  readonly unknown: ReadonlySet<string>;
}

/** What stands for a value that is not known yet. */
export function placeholder(step: string, value: string): string {
  return `<${value} of ${step}, not known yet>`;
}

/** What an object emits of itself, without anybody having looked at it. */
export function paperOutput(
  step: Step,
  wanted: TemplateOutput,
  object: KubernetesObject | undefined,
  deployment: PaperOutput | undefined,
): PaperOutput {
  if (wanted.kind === "none") return { output: { kind: "none" }, unknown: new Set() };
  if (wanted.kind === "matches" || wanted.kind === "completion")
    return deployment ?? unknownOutput(step, "source");
  const values = new Map<string, JsonValue | undefined>();
  const read = (name: string, path: string): void => {
    const reading =
      object === undefined ? undefined : readOutput({ kind: "config", path }, object, undefined);
    values.set(
      name,
      reading?.kind === "output" && reading.output.kind === "config"
        ? reading.output.config
        : undefined,
    );
  };
  if (wanted.kind === "source") {
    read("url", wanted.urlPath);
    read("revision", wanted.revisionPath);
  } else read(wanted.kind, wanted.path);
  return withPlaceholders(step, wanted.kind, values);
}

/** A step whose outputs cannot be told at all. */
export function unknownOutput(step: Step, kind: "source" | "image" | "config"): PaperOutput {
  const names = kind === "source" ? ["url", "revision"] : [kind];
  return withPlaceholders(step, kind, new Map(names.map((name) => [name, undefined])));
}

function withPlaceholders(
  step: Step,
  kind: "source" | "image" | "config",
  values: ReadonlyMap<string, JsonValue | undefined>,
): PaperOutput {
  const of = (name: string): JsonValue => values.get(name) ?? placeholder(step.name, name);
  const unknown = new Set(
    [...values].filter(([, value]) => value === undefined).map(([name]) => name),
  );
  switch (kind) {
    case "source":
      return { output: { kind, url: of("url"), revision: of("revision") }, unknown };
    case "image":
      return { output: { kind, image: of("image") }, unknown };
    case "config":
      return { output: { kind, config: of("config") }, unknown };
  }
}

/** The input that a path leads through, and the value of it: `sources.app.url`, `image`. */
export function inputAt(
  step: Step,
  path: string,
): { readonly input: Input; readonly value: string } | undefined {
  const text = path.replace(/^\{?\.?/, "");
  const keyed = emittedKey(text);
  const rest = /(url|revision|image|config)(?:[.[}]|$)/;
  if (keyed !== undefined && keyed.root !== "params") {
    const input = step.inputs.find(
      ({ kind, name }) => `${kind}s` === keyed.root && name === keyed.name,
    );
    const after = text.slice(text.indexOf(keyed.name) + keyed.name.length);
    const value = keyed.root === "sources" ? rest.exec(after)?.[1] : input?.kind;
    return input === undefined || value === undefined ? undefined : { input, value };
  }
  const single = /^(source|image|config|deployment)\b/.exec(text)?.[1];
  const candidates = step.inputs.filter(({ kind }) => kind === single);
  const [input] = candidates;
  if (input === undefined || candidates.length > 1) return undefined;
  const isSource = single === "source" || single === "deployment";
  const value = isSource ? rest.exec(text.slice(single?.length ?? 0))?.[1] : input.kind;
  return value === undefined ? undefined : { input, value };
}
