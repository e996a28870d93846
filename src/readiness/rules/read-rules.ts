import { pathsFrom } from "../../cel/index.ts";
import type { Diagnostic, DiagnosticCode } from "../../diagnostics/index.ts";
import { fieldAt } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { hasField } from "./definition-schema.ts";
import { compileReadyWhen, expressionHint, readyWhenAnnotation } from "./expression-rule.ts";
import { readOutputNames } from "./output-name-fields.ts";
import type { ReadinessRules, ReadyWhen, RuleProblem } from "./readiness-rules.ts";
import {
  type RuleAnnotation,
  type RuleAnnotationName,
  ruleAnnotations,
  type RuleAnnotations,
  spelledLike,
} from "./rule-annotations.ts";
import { leadingFields, readRulePath } from "./rule-field.ts";

/** What is read of one definition, and where what is wrong with it is put. */
export interface RuleReading {
  readonly definition: KubernetesObject;
  readonly found: RuleAnnotations["found"];
  readonly report: (
    annotation: string,
    code: DiagnosticCode,
    summary: string,
    hint?: string,
  ) => void;
}

const compiled = new WeakMap<KubernetesObject, ReadinessRules>();

/**
 * What a CustomResourceDefinition says of its instances in annotations. Everything is compiled here,
 * once for each definition; what is wrong comes with it, for instances to report.
 */
export function readinessRules(definition: KubernetesObject): ReadinessRules {
  const known = compiled.get(definition);
  if (known !== undefined) return known;
  const subject = `${definition.kind} ${definition.metadata.name ?? ""}`;
  const { found, problems: first } = ruleAnnotations(definition, subject);
  const problems: RuleProblem[] = [...first];
  const reading: RuleReading = {
    definition,
    found,
    report: (annotation, code, summary, hint) => {
      const diagnostic: Diagnostic = {
        code,
        severity: "error",
        summary: `${subject}: ${summary}`,
        hint,
        subject,
      };
      problems.push({ annotation, diagnostic });
    },
  };
  const readyWhen = [fieldRule(reading), existsRule(reading), expressionRule(reading)];
  const rules: ReadinessRules = {
    group: textAt(definition, "spec", "group"),
    instanceKind: textAt(definition, "spec", "names", "kind"),
    readyWhen: readyWhen.filter((rule) => rule !== undefined),
    outputNames: readOutputNames(reading),
    problems,
  };
  compiled.set(definition, rules);
  return rules;
}

function fieldRule(reading: RuleReading): ReadyWhen | undefined {
  const { definition, report } = reading;
  const pair = pairOf(reading, "ReadyWhenFieldPath", "ReadyWhenFieldValue");
  if (pair === undefined) return undefined;
  const [{ key, value: text }, { value }] = pair;
  const read = readRulePath(text);
  if (read.kind === "problem") {
    report(key, "readiness.invalid-path", read.message, pathHint);
    return undefined;
  }
  const { fields } = leadingFields(read.path);
  if (!hasField(definition, fields)) reportUnknownField(reading, key, fields);
  return { kind: "field", path: read.path, value };
}

const pathHint =
  'Write a path such as status.state or {.status.conditions[?(@.type=="Ready")].status}.';

function existsRule(reading: RuleReading): ReadyWhen | undefined {
  const { report } = reading;
  const pair = pairOf(reading, "ReadyWhenExistsKind", "ReadyWhenExistsVersion");
  if (pair === undefined) return undefined;
  const [kind, version] = pair;
  if (!/^[A-Z][A-Za-z0-9]*$/.test(kind.value)) {
    const summary = `${kind.key} is ${JSON.stringify(kind.value)}, which is no kind`;
    report(kind.key, "readiness.invalid-annotation", summary, "Write a kind such as Secret.");
    return undefined;
  }
  if (!/^(?:[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?v[a-z0-9]+$/.test(version.value)) {
    const summary = `${version.key} is ${JSON.stringify(version.value)}, which is no apiVersion`;
    const hint = "Write group and version, such as smith.atlassian.com/v1, or v1.";
    report(version.key, "readiness.invalid-annotation", summary, hint);
    return undefined;
  }
  return { kind: "exists", apiVersion: version.value, ownedKind: kind.value };
}

function expressionRule(reading: RuleReading): ReadyWhen | undefined {
  const { definition, report } = reading;
  const text = definition.metadata.annotations?.[readyWhenAnnotation];
  if (text === undefined) return undefined;
  const compilation = compileReadyWhen(text);
  if (compilation.kind === "problems") {
    const summary = `${readyWhenAnnotation} cannot be compiled: ${compilation.text}`;
    report(readyWhenAnnotation, "readiness.invalid-expression", summary, expressionHint);
    return undefined;
  }
  const { program } = compilation;
  for (const path of pathsFrom(program.expression, "self"))
    if (!hasField(definition, path)) reportUnknownField(reading, readyWhenAnnotation, path);
  return { kind: "expression", text, program };
}

function reportUnknownField({ report }: RuleReading, key: string, fields: readonly string[]): void {
  const summary = `${key} looks at ${fields.join(".")}, a field that no version of its schema has`;
  const hint = "Correct the path, or add the field to the schema of the definition.";
  report(key, "readiness.unknown-field", summary, hint);
}

/** Two annotations that mean something only together. */
function pairOf(
  { found, report }: RuleReading,
  first: RuleAnnotationName,
  second: RuleAnnotationName,
): readonly [RuleAnnotation, RuleAnnotation] | undefined {
  const [left, right] = [found[first], found[second]];
  if (left !== undefined && right !== undefined) return [left, right];
  const [there, missing] = left === undefined ? [right, first] : [left, second];
  if (there === undefined) return undefined;
  const wanted = spelledLike(there.key, missing);
  const summary = `${there.key} stands without ${wanted}, so that nobody can tell when an instance is ready`;
  report(there.key, "readiness.incomplete-annotations", summary, `Add ${wanted}.`);
  return undefined;
}

function textAt(value: unknown, ...path: readonly string[]): string {
  const found = fieldAt(value, ...path);
  return typeof found === "string" ? found : "";
}
