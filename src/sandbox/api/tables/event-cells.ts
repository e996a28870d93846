import type { KubernetesObject } from "../../../objects/index.ts";
import { timeSince } from "./age.ts";
import { at, numberAt, textAt } from "./read-fields.ts";

export function eventCells(event: KubernetesObject, now: number): readonly unknown[] {
  const first = timeSince(at(event, "firstTimestamp") ?? at(event, "eventTime"), now);
  const last = at(event, "lastTimestamp");
  const series = at(event, "series");
  const count = Number(numberAt(event, "count"));
  const kind = textAt(event, "involvedObject.kind").toLowerCase();
  const name = textAt(event, "involvedObject.name");
  const lastSeen = last === undefined ? first : timeSince(last, now);
  return [
    series === undefined ? lastSeen : timeSince(at(series, "lastObservedTime"), now),
    textAt(event, "type"),
    textAt(event, "reason"),
    name === "" ? kind : `${kind}/${name}`,
    textAt(event, "involvedObject.fieldPath"),
    sourceText(event),
    textAt(event, "message").trim(),
    first,
    series === undefined ? count || 1 : Number(numberAt(series, "count")),
    event.metadata.name,
  ];
}

function sourceText(event: KubernetesObject): string {
  const component = textAt(event, "source.component") || textAt(event, "reportingComponent");
  const instance = textAt(event, "source.host") || textAt(event, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}
