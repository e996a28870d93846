import type { Link, PortForward, TriggerMode } from "../../../assembly/index.ts";
import { encodeText, EvaluationError, typeName, type Value } from "../../starlark/index.ts";
import type { LocalProbe, ProbeAction } from "../local-resource.ts";
import { PlainValue } from "./plain-value.ts";

/** Each kind of value that Tiltfiles pass around is a class, so that it can be told apart. */
export class PortForwardValue extends PlainValue<PortForward> {
  constructor(data: PortForward) {
    super("port_forward", data, `port_forward(${data.localPort})`);
  }
}

export class LinkValue extends PlainValue<Link> {
  constructor(data: Link) {
    const { url, name = "" } = data;
    super("link", data, `link(${JSON.stringify(url)})`, {
      url: encodeText(url),
      name: encodeText(name),
    });
  }
}

export class TriggerModeValue extends PlainValue<TriggerMode> {
  constructor(data: TriggerMode) {
    super("TriggerMode", data, `TRIGGER_MODE_${data.toUpperCase()}`);
  }
}

export class ProbeValue extends PlainValue<LocalProbe> {
  constructor(data: LocalProbe, fields: Readonly<Record<string, Value>>) {
    super("Probe", data, "<probe>", fields);
  }
}

export class ProbeActionValue extends PlainValue<ProbeAction> {
  constructor(data: ProbeAction, fields: Readonly<Record<string, Value>>) {
    super("ProbeAction", data, `<${data.kind} action>`, fields);
  }
}

/** What `fast_build` returns; it only serves to recognise calls in the old syntax. */
export class FastBuildValue extends PlainValue<string> {
  constructor(reference: string) {
    super("FastBuild", reference, `fast_build(${JSON.stringify(reference)})`);
  }
}

/** Takes a value of one of these classes as an argument. */
export function instanceOf<T>(
  type: new (data: never, fields: never) => PlainValue<T>,
  name: string,
): (value: Value) => T {
  return (value) => {
    if (value instanceof type) return value.data;
    throw new EvaluationError(`got ${typeName(value)}, want ${name}`);
  };
}
