import type { KubernetesObject } from "../../objects/index.ts";
import { type StoredLine, type PodLogStore, podLogStoreOf } from "../runtime/pod-log-store.ts";
import type { ApiContext } from "./api-context.ts";
import type { CompleteResponse, StreamResponse, StreamSink } from "./request.ts";
import { badRequest } from "./status.ts";

/** What a request for a log asks for. */
export interface PodLogOptions {
  readonly container?: string;
  readonly follow?: boolean;
  readonly previous?: boolean;
  readonly timestamps?: boolean;
  readonly tailLines?: number;
  readonly sinceSeconds?: number;
  readonly sinceTime?: string;
  readonly limitBytes?: number;
}

/** Reads the options of a request for a log. */
export function readPodLogOptions(query: URLSearchParams): PodLogOptions {
  const flag = (name: string): boolean => ["true", "1"].includes(query.get(name) ?? "");
  const number = (name: string): number | undefined => {
    const text = query.get(name) ?? "";
    if (text === "") return undefined;
    if (!/^\d+$/.test(text)) {
      throw badRequest(`PodLogOptions.v1 "" is invalid: ${name}: Invalid value: "${text}"`);
    }
    return Number(text);
  };
  const tailLines = number("tailLines");
  const sinceSeconds = number("sinceSeconds");
  const limitBytes = number("limitBytes");
  const container = query.get("container") ?? "";
  const sinceTime = query.get("sinceTime") ?? "";
  return {
    follow: flag("follow"),
    previous: flag("previous"),
    timestamps: flag("timestamps"),
    ...(container === "" ? {} : { container }),
    ...(sinceTime === "" ? {} : { sinceTime }),
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(sinceSeconds === undefined ? {} : { sinceSeconds }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
  };
}

/** Answers with what a container has written, and with what it goes on to write if that is followed. */
export function podLogs(
  context: ApiContext,
  pod: KubernetesObject,
  options: PodLogOptions,
): CompleteResponse | StreamResponse {
  const container = chooseContainer(pod, options.container);
  const logs = podLogStoreOf(context);
  const { uid = "", name = "" } = pod.metadata;
  const isPrevious = options.previous === true;
  requireStarted(pod, container, isPrevious);
  const written = logs.lines(uid, container, isPrevious);
  if (written === undefined && isPrevious) {
    throw badRequest(`previous terminated container "${container}" in pod "${name}" not found`);
  }
  const begin = select(written ?? [], options, context.clock.now());
  if (options.follow !== true || isPrevious) {
    const text = begin.map((line) => formatLine(line, options)).join("");
    const body = options.limitBytes === undefined ? text : cut(text, options.limitBytes);
    return { kind: "complete", status: 200, contentType: "text/plain", body };
  }
  return {
    kind: "stream",
    status: 200,
    contentType: "text/plain",
    start: (sink) => follow(logs, { uid, container }, begin, options, sink),
  };
}

interface ContainerSpec {
  readonly name: string;
}

/** The container that a request is about: the one it names, the annotated one, or the only one. */
export function chooseContainer(pod: KubernetesObject, asked: string | undefined): string {
  const { containers = [], initContainers = [] } = (pod["spec"] ?? {}) as {
    readonly containers?: readonly ContainerSpec[];
    readonly initContainers?: readonly ContainerSpec[];
  };
  const names = containers.map((container) => container.name);
  const initNames = initContainers.map((container) => container.name);
  const { name = "" } = pod.metadata;
  if (asked !== undefined) {
    if ([...names, ...initNames].includes(asked)) return asked;
    throw badRequest(`container ${asked} is not valid for pod ${name}`);
  }
  const annotated = pod.metadata.annotations?.["kubectl.kubernetes.io/default-container"];
  if (annotated !== undefined && names.includes(annotated)) return annotated;
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  const inits =
    initNames.length === 0 ? "" : ` or one of the init containers: [${initNames.join(" ")}]`;
  throw badRequest(
    `a container name must be specified for pod ${name}, choose one of: [${names.join(" ")}]${inits}`,
  );
}

interface StatusEntry {
  readonly name: string;
  readonly state?: { readonly waiting?: { readonly reason?: string } };
  readonly lastState?: { readonly terminated?: unknown };
}

/** A container that has never run has no log to show. */
function requireStarted(pod: KubernetesObject, container: string, isPrevious: boolean): void {
  const { containerStatuses = [], initContainerStatuses = [] } = (pod["status"] ?? {}) as {
    readonly containerStatuses?: readonly StatusEntry[];
    readonly initContainerStatuses?: readonly StatusEntry[];
  };
  const { name = "" } = pod.metadata;
  const found = [...containerStatuses, ...initContainerStatuses].find(
    (status) => status.name === container,
  );
  const where = `container "${container}" in pod "${name}"`;
  const { waiting } = found?.state ?? {};
  const hasRun = found?.lastState?.terminated !== undefined;
  if (isPrevious || hasRun || (found !== undefined && waiting === undefined)) return;
  const reason = waiting?.reason;
  throw badRequest(
    reason === "ErrImagePull" || reason === "ImagePullBackOff"
      ? `${where} is waiting to start: trying and failing to pull image`
      : `${where} is waiting to start: ${reason ?? "ContainerCreating"}`,
  );
}

function select(
  lines: readonly StoredLine[],
  { sinceSeconds, sinceTime, tailLines }: PodLogOptions,
  now: number,
): readonly StoredLine[] {
  const since =
    sinceSeconds === undefined ? Date.parse(sinceTime ?? "") : now - sinceSeconds * 1000;
  const recent = Number.isNaN(since) ? lines : lines.filter(({ atMs }) => atMs >= since);
  return tailLines === undefined ? recent : recent.slice(Math.max(0, recent.length - tailLines));
}

function formatLine({ atMs, text }: StoredLine, { timestamps }: PodLogOptions): string {
  if (timestamps !== true) return `${text}\n`;
  return `${new Date(atMs).toISOString().slice(0, -1)}000000Z ${text}\n`;
}

function cut(text: string, bytes: number): string {
  const buffer = Buffer.from(text, "utf8");
  return buffer.length <= bytes ? text : buffer.subarray(0, bytes).toString("utf8");
}

function follow(
  logs: PodLogStore,
  { uid, container }: { readonly uid: string; readonly container: string },
  begin: readonly StoredLine[],
  options: PodLogOptions,
  sink: StreamSink,
): () => void {
  let left = options.limitBytes ?? Number.POSITIVE_INFINITY;
  let stop: (() => void) | undefined;
  const write = (line: StoredLine): void => {
    const text = cut(formatLine(line, options), Math.min(left, Number.MAX_SAFE_INTEGER));
    left -= Buffer.byteLength(text);
    if (text !== "") sink.write(text);
    if (left > 0) return;
    stop?.();
    sink.end();
  };
  for (const line of begin) if (left > 0) write(line);
  if (left <= 0) return () => {};
  stop = logs.follow(uid, container, { line: write, end: sink.end });
  if (stop === undefined) sink.end();
  return () => stop?.();
}
