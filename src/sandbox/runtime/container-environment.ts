import { setField } from "../../json/index.ts";
import type { ConfigLookup } from "./config-references.ts";
import type { Container, Pod } from "./pod-types.ts";

/** The environment that a container's process is started with; `PORT` is the first port it declares. */
export function containerEnvironment(
  pod: Pod,
  container: Container,
  read: ConfigLookup,
): Readonly<Record<string, string>> {
  const values: Record<string, string> = {};
  const port = container.ports?.[0]?.containerPort;
  if (port !== undefined) values["PORT"] = String(port);
  for (const { prefix = "", configMapRef, secretRef } of container.envFrom ?? []) {
    for (const [key, value] of entriesOf("/configmaps", configMapRef?.name, read))
      setField(values, `${prefix}${key}`, value);
    for (const [key, value] of entriesOf("/secrets", secretRef?.name, read))
      setField(values, `${prefix}${key}`, value);
  }
  for (const { name, value, valueFrom } of container.env ?? []) {
    const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom ?? {};
    const found =
      value ??
      entryOf("/configmaps", configMapKeyRef, read) ??
      entryOf("/secrets", secretKeyRef, read) ??
      (fieldRef === undefined ? undefined : fieldOf(pod, fieldRef.fieldPath));
    if (found !== undefined) setField(values, name, expand(found, values));
  }
  return values;
}

type Resource = Parameters<ConfigLookup>[0];

function entriesOf(
  resource: Resource,
  name: string | undefined,
  read: ConfigLookup,
): readonly (readonly [string, string])[] {
  if (name === undefined) return [];
  const data = (read(resource, name)?.["data"] ?? {}) as Readonly<Record<string, string>>;
  return Object.entries(data).map(([key, value]) => [
    key,
    resource === "/secrets" ? Buffer.from(value, "base64").toString("utf8") : value,
  ]);
}

function entryOf(
  resource: Resource,
  reference: { readonly name?: string; readonly key: string } | undefined,
  read: ConfigLookup,
): string | undefined {
  if (reference === undefined) return undefined;
  return entriesOf(resource, reference.name, read).find(([key]) => key === reference.key)?.[1];
}

function fieldOf({ metadata, spec, status }: Pod, path: string): string | undefined {
  const map = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (map?.[1] === "labels") return metadata.labels?.[map[2] ?? ""];
  if (map?.[1] === "annotations") return metadata.annotations?.[map[2] ?? ""];
  switch (path) {
    case "metadata.name":
      return metadata.name;
    case "metadata.namespace":
      return metadata.namespace;
    case "metadata.uid":
      return metadata.uid;
    case "spec.nodeName":
      return spec.nodeName;
    case "status.podIP":
      return status?.podIP;
    case "status.hostIP":
      return status?.hostIP;
    default:
      return undefined;
  }
}

/** `$(NAME)` stands for an earlier variable, `$$` for a dollar sign. */
function expand(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\$|\$\(([^)]+)\)/g, (whole: string, name: string | undefined) =>
    name === undefined ? "$" : (values[name] ?? whole),
  );
}
