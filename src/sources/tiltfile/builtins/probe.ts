import {
  encodeText,
  EvaluationError,
  hostFunction,
  int,
  optionalOrNone,
  required,
  StarlarkList,
  text,
  typeName,
  type Convert,
  type Value,
} from "../../starlark/index.ts";
import type { ProbeAction } from "../local-resource.ts";
import { textList } from "../tiltfile-arguments.ts";
import { ProbeActionValue, ProbeValue } from "../values/tiltfile-values.ts";

/** `probe` and its actions: how it is seen that a server is ready. */
export const probeFunctions: Readonly<Record<string, Value>> = {
  probe: hostFunction("probe", (call) => {
    const given = call.unpack({
      initial_delay_secs: optionalOrNone(atLeast(0)),
      timeout_secs: optionalOrNone(atLeast(1)),
      period_secs: optionalOrNone(atLeast(1)),
      success_threshold: optionalOrNone(atLeast(1)),
      failure_threshold: optionalOrNone(atLeast(1)),
      exec: optionalOrNone(action("exec", "exec_action")),
      http_get: optionalOrNone(action("http-get", "http_get_action")),
      tcp_socket: optionalOrNone(action("tcp-socket", "tcp_socket_action")),
    });
    const actions = [given.exec, given.http_get, given.tcp_socket].filter(
      (each) => each !== undefined,
    );
    const [only] = actions;
    if (only === undefined || actions.length > 1) {
      throw new EvaluationError("probe: give exactly one of exec, http_get and tcp_socket");
    }
    return new ProbeValue(
      {
        action: only.data,
        initialDelaySeconds: given.initial_delay_secs ?? 0,
        timeoutSeconds: given.timeout_secs ?? 1,
        periodSeconds: given.period_secs ?? 10,
        successThreshold: given.success_threshold ?? 1,
        failureThreshold: given.failure_threshold ?? 3,
      },
      {
        initial_delay_secs: given.initial_delay_secs ?? 0,
        timeout_secs: given.timeout_secs ?? 0,
        period_secs: given.period_secs ?? 0,
        success_threshold: given.success_threshold ?? 0,
        failure_threshold: given.failure_threshold ?? 0,
        exec: given.exec ?? null,
        http_get: given.http_get ?? null,
        tcp_socket: given.tcp_socket ?? null,
      },
    );
  }),

  exec_action: hostFunction("exec_action", (call) => {
    const { command } = call.unpack({ command: required(textList) });
    if (command.length === 0) throw new EvaluationError("exec_action: command is empty");
    return new ProbeActionValue(
      { kind: "exec", command },
      { command: new StarlarkList(command.map(encodeText)) },
    );
  }),

  http_get_action: hostFunction("http_get_action", (call) => {
    const given = call.unpack({
      port: required(port),
      host: optionalOrNone(text),
      scheme: optionalOrNone(scheme),
      path: optionalOrNone(text),
    });
    const { host = "", scheme: givenScheme = "", path = "" } = given;
    return new ProbeActionValue(
      {
        kind: "http-get",
        scheme: givenScheme === "" ? "http" : givenScheme,
        host: host === "" ? "localhost" : host,
        port: given.port,
        path,
      },
      {
        host: encodeText(host),
        port: given.port,
        scheme: encodeText(givenScheme),
        path: encodeText(path),
      },
    );
  }),

  tcp_socket_action: hostFunction("tcp_socket_action", (call) => {
    const given = call.unpack({ port: required(port), host: optionalOrNone(text) });
    const { host = "" } = given;
    return new ProbeActionValue(
      { kind: "tcp-socket", host: host === "" ? "localhost" : host, port: given.port },
      { host: encodeText(host), port: given.port },
    );
  }),
};

function atLeast(least: number): Convert<number> {
  return (value) => {
    const number = int(value);
    if (number >= least) return number;
    throw new EvaluationError(`got ${number}, want at least ${least}`);
  };
}

const port: Convert<number> = (value) => {
  const number = int(value);
  if (number >= 1 && number <= 65_535) return number;
  throw new EvaluationError(`${number} is no port: ports are 1 to 65535`);
};

const scheme: Convert<"http" | "https" | ""> = (value) => {
  const given = text(value).toLowerCase();
  if (given === "http" || given === "https" || given === "") return given;
  throw new EvaluationError(`got ${JSON.stringify(given)}, want "http" or "https"`);
};

function action(kind: ProbeAction["kind"], maker: string): Convert<ProbeActionValue> {
  return (value) => {
    if (value instanceof ProbeActionValue && value.data.kind === kind) return value;
    const got = value instanceof ProbeActionValue ? `a ${value.data.kind} action` : typeName(value);
    throw new EvaluationError(`got ${got}, want what ${maker} gives`);
  };
}
