import { hasField } from "./definition-schema.ts";
import type { RuleReading } from "./read-rules.ts";
import type { OutputNameFields } from "./readiness-rules.ts";
import { type RuleAnnotationName, spelledLike } from "./rule-annotations.ts";
import { leadingFields, readRulePath } from "./rule-field.ts";

/** The fields that name output objects; they mean something only beside ExistsKind. */
export function readOutputNames(reading: RuleReading): OutputNameFields {
  const mode = fieldOf(reading, "OutputNameModeField", true);
  const setter = fieldOf(reading, "OutputNameSetterField", true);
  const name = fieldOf(reading, "OutputNameField", false);
  requirePartner(reading, "OutputNameSetterField", "OutputNameModeField");
  requirePartner(reading, "OutputNameField", "ReadyWhenExistsKind");
  return { mode, setter, name };
}

function fieldOf(
  { definition, found, report }: RuleReading,
  name: RuleAnnotationName,
  isOfInstance: boolean,
): readonly string[] | undefined {
  const annotation = found[name];
  if (annotation === undefined) return undefined;
  const { key, value } = annotation;
  const read = readRulePath(value);
  const hint = "Write the names of fields with dots between them, such as spec.secretName.";
  if (read.kind === "problem") {
    report(key, "readiness.invalid-path", read.message, hint);
    return undefined;
  }
  const { fields, isWhole } = leadingFields(read.path);
  if (!isWhole) {
    const summary = `${key} is ${JSON.stringify(value)}, which is not one field that could be set`;
    report(key, "readiness.invalid-path", summary, hint);
    return undefined;
  }
  if (isOfInstance && !hasField(definition, fields)) {
    const summary = `${key} names ${fields.join(".")}, a field that no version of its schema has`;
    report(key, "readiness.unknown-field", summary, "Correct the path, or add the field.");
  }
  return fields;
}

function requirePartner(
  { found, report }: RuleReading,
  name: RuleAnnotationName,
  partner: RuleAnnotationName,
): void {
  const annotation = found[name];
  if (annotation === undefined || found[partner] !== undefined) return;
  const wanted = spelledLike(annotation.key, partner);
  const summary = `${annotation.key} stands without ${wanted}`;
  report(annotation.key, "readiness.incomplete-annotations", summary, `Add ${wanted}.`);
}
