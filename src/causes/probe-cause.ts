import type { ClusterEvent } from "./events.ts";
import type { PodContainer, ProbeShape } from "./pod-shape.ts";

/** A probe of a container that fails, and what it says. */
export interface FailingProbe {
  readonly kind: "readiness" | "liveness" | "startup";
  readonly summary: string;
  readonly event: ClusterEvent;
}

/** What the newest event about a failing probe of a container says, if there is one. */
export function failingProbe(
  container: PodContainer,
  events: readonly ClusterEvent[],
  kinds: readonly FailingProbe["kind"][],
): FailingProbe | undefined {
  for (const event of events) {
    if (event.reason !== "Unhealthy") continue;
    if (event.container !== undefined && event.container !== container.name) continue;
    const [, word = "", said = ""] =
      /^(Readiness|Liveness|Startup) probe (?:failed|errored): ?(.*)$/s.exec(event.message) ?? [];
    if (word === "") continue;
    const kind = word.toLowerCase() as FailingProbe["kind"];
    if (!kinds.includes(kind)) continue;
    const probe = container[`${kind}Probe`];
    return { kind, event, summary: `${kind} probe: ${probeText(probe)}${answerText(said, probe)}` };
  }
  return undefined;
}

function probeText(probe: ProbeShape | undefined): string {
  if (probe?.httpGet !== undefined)
    return `GET :${probe.httpGet.port ?? ""}${probe.httpGet.path ?? "/"} `;
  if (probe?.tcpSocket !== undefined) return `port ${probe.tcpSocket.port ?? ""} `;
  if (probe?.grpc !== undefined) return `gRPC on port ${probe.grpc.port ?? ""} `;
  const command = probe?.exec?.command?.join(" ");
  return command === undefined ? "" : `\`${command}\` `;
}

function answerText(said: string, probe: ProbeShape | undefined): string {
  const code = /statuscode: (\d+)/.exec(said)?.[1];
  if (code !== undefined) return `answers ${code}`;
  if (/connection refused/.test(said)) return "is refused: nothing listens there";
  if (/timed? ?out|deadline exceeded|Client\.Timeout/i.test(said))
    return `gives no answer within ${probe?.timeoutSeconds ?? 1} s`;
  const line = said.trim().split("\n")[0] ?? "";
  return line === "" ? "fails" : `fails: ${line}`;
}
