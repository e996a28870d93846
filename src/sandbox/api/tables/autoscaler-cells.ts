import type { KubernetesObject } from "../../../objects/index.ts";
import { ageOf } from "./age.ts";
import { at, listAt, numberAt, textIn, textOr } from "./read-fields.ts";

const mostMetrics = 2;

export function autoscalerCells(object: KubernetesObject, now: number): readonly unknown[] {
  return [
    object.metadata.name,
    `${textIn(object, "spec.scaleTargetRef.kind")}/${textIn(object, "spec.scaleTargetRef.name")}`,
    metricsText(object),
    textOr(object, "spec.minReplicas", "<unset>"),
    numberAt(object, "spec.maxReplicas"),
    numberAt(object, "status.currentReplicas"),
    ageOf(object, now),
  ];
}

function metricsText(object: KubernetesObject): string {
  const statuses = listAt(object, "status.currentMetrics");
  const texts = listAt(object, "spec.metrics").map((spec, index) =>
    metricText(spec, statuses[index]),
  );
  if (texts.length === 0) return "<none>";
  const shown = texts.slice(0, mostMetrics).join(", ");
  return texts.length > mostMetrics ? `${shown} + ${texts.length - mostMetrics} more...` : shown;
}

function metricText(spec: unknown, status: unknown): string {
  switch (textIn(spec, "type")) {
    case "External":
      return valueText(spec, status, "external");
    case "Object":
      return valueText(spec, status, "object");
    case "Pods": {
      const current = textOr(status, "pods.current.averageValue", "<unknown>");
      return `${current}/${textIn(spec, "pods.target.averageValue")}`;
    }
    case "Resource":
      return resourceText(spec, status, "resource");
    case "ContainerResource":
      return resourceText(spec, status, "containerResource");
    default:
      return "<unknown type>";
  }
}

function valueText(spec: unknown, status: unknown, source: string): string {
  const average = at(spec, `${source}.target.averageValue`);
  const field = average === undefined ? "value" : "averageValue";
  const current = textOr(status, `${source}.current.${field}`, "<unknown>");
  const text = `${current}/${textIn(spec, `${source}.target.${field}`)}`;
  return average === undefined ? text : `${text} (avg)`;
}

function resourceText(spec: unknown, status: unknown, source: string): string {
  const name = textIn(spec, `${source}.name`);
  const average = textIn(spec, `${source}.target.averageValue`);
  if (average !== "") {
    return `${name}: ${textOr(status, `${source}.current.averageValue`, "<unknown>")}/${average}`;
  }
  const percent = (value: unknown, path: string, otherwise: string): string =>
    at(value, path) === undefined ? otherwise : `${numberAt(value, path)}%`;
  const current = percent(status, `${source}.current.averageUtilization`, "<unknown>");
  return `${name}: ${current}/${percent(spec, `${source}.target.averageUtilization`, "<auto>")}`;
}
