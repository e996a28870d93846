import type { RequestOptions } from "node:https";
import { connect, type ConnectionOptions as TlsOptions } from "node:tls";
import { containerProcess } from "../../../runtime/container-process.ts";
import type { ApiContext } from "../../api-context.ts";
import { selects } from "../../object-selector.ts";
import { listAt, recordAt, textIn } from "../../tables/read-fields.ts";
import type { ClientConfig } from "./webhook.ts";

type ServiceReference = NonNullable<ClientConfig["service"]>;
/** How to connect, or why that cannot be. */
export type ServiceConnection = {
  readonly createConnection?: Connector;
  readonly problem?: string;
};
type Connector = NonNullable<RequestOptions["createConnection"]>;

/**
 * How to reach a service: through a pod behind it that is a process of this machine. Nothing listens
 * in the others.
 */
export function serviceConnection(
  context: ApiContext,
  { namespace, name, port = 443 }: ServiceReference,
): ServiceConnection {
  const service = context.store.get("/services", namespace, name)?.object;
  if (service === undefined) return { problem: `service ${JSON.stringify(name)} not found` };
  const served = listAt(service, "spec.ports").find(
    (each) => textIn(each, "port") === String(port),
  );
  if (served === undefined) {
    return { problem: `no service port ${port} found for service ${JSON.stringify(name)}` };
  }
  const matchLabels = recordAt(service, "spec.selector") as Readonly<Record<string, string>>;
  for (const { object: pod } of context.store.list("/pods", namespace)) {
    if (!selects({ matchLabels }, pod.metadata.labels)) continue;
    for (const container of listAt(pod, "spec.containers")) {
      const process = containerProcess(context, pod, textIn(container, "name"));
      const target = targetPort(served, pod) ?? port;
      if (process === undefined) continue;
      return {
        createConnection: (options) =>
          connect({
            ...(options as TlsOptions),
            socket: process.connect(target),
            servername: `${name}.${namespace}.svc`,
          }),
      };
    }
  }
  return { problem: `no endpoints available for service ${JSON.stringify(name)}` };
}

/** The port of the pod: a number, or the name that a container gives it. */
function targetPort(served: unknown, pod: unknown): number | undefined {
  const target = textIn(served, "targetPort") || textIn(served, "port");
  if (/^\d+$/.test(target)) return Number(target);
  const named = listAt(pod, "spec.containers")
    .flatMap((container) => listAt(container, "ports"))
    .find((each) => textIn(each, "name") === target);
  return named === undefined ? undefined : Number(textIn(named, "containerPort"));
}
