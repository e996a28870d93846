import type { KubernetesObject } from "../../../objects/index.ts";
import { timeSince } from "./age.ts";
import { at, numberAt, textIn } from "./read-fields.ts";

export function eventCells(event: KubernetesObject, now: number): readonly unknown[] {
  const first = timeSince(at(event, "firstTimestamp") ?? at(event, "eventTime"), now);
  const last = at(event, "lastTimestamp");
  const series = at(event, "series");
  const count = Number(numberAt(event, "count"));
  const kind = textIn(event, "involvedObject.kind").toLowerCase();
  const name = textIn(event, "involvedObject.name");
  const lastSeen = last === undefined ? first : timeSince(last, now);
  return [
    series === undefined ? lastSeen : timeSince(at(series, "lastObservedTime"), now),
    textIn(event, "type"),
    textIn(event, "reason"),
    name === "" ? kind : `${kind}/${name}`,
    textIn(event, "involvedObject.fieldPath"),
    sourceText(event),
    textIn(event, "message").trim(),
    first,
    series === undefined ? count || 1 : Number(numberAt(series, "count")),
    event.metadata.name,
  ];
}

function sourceText(event: KubernetesObject): string {
  const component = textIn(event, "source.component") || textIn(event, "reportingComponent");
  const instance = textIn(event, "source.host") || textIn(event, "reportingInstance");
  return instance === "" ? component : `${component}, ${instance}`;
}
