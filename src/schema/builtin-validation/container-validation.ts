import { asObject } from "../../json/index.ts";
import { compareQuantities } from "../quantity.ts";
import { duplicate, invalid, notFound, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import {
  configKeyProblems,
  environmentNameProblems,
  labelProblems,
  portNameProblems,
  qualifiedNameProblems,
} from "./names.ts";

/** The containers of one list of a pod. */
export function validateContainers(
  spec: Checker,
  key: string,
  volumes: ReadonlySet<string>,
  names: Set<string>,
): void {
  for (const container of spec.items(key)) {
    const name = container.text("name");
    if (container.require("name")) container.named("name", labelProblems);
    if (name !== "" && names.has(name)) container.add(duplicate(container.field("name"), name));
    names.add(name);
    validateImage(container);
    validatePorts(container);
    validateEnvironment(container);
    validateMounts(container, volumes);
    container.oneOf("imagePullPolicy", ["Always", "IfNotPresent", "Never"]);
    container.oneOf("terminationMessagePolicy", ["File", "FallbackToLogsOnError"]);
    for (const probe of ["livenessProbe", "readinessProbe", "startupProbe"]) {
      validateProbe(container.maybe(probe), probe !== "readinessProbe");
    }
    const lifecycle = container.maybe("lifecycle");
    for (const hook of ["postStart", "preStop"]) validateHandler(lifecycle?.maybe(hook));
    validateResources(container.maybe("resources"));
  }
}

function validateImage(container: Checker): void {
  const image = container.text("image");
  if (!container.require("image")) return;
  if (image.trim() !== image) {
    container.invalid("image", image, "must not have leading or trailing whitespace");
  }
}

function validatePorts(container: Checker): void {
  const names = new Set<string>();
  for (const port of container.items("ports")) {
    const name = port.text("name");
    port.named("name", portNameProblems);
    if (name !== "" && names.has(name)) port.add(duplicate(port.field("name"), name));
    names.add(name);
    if (port.get("containerPort") === 0 || !port.has("containerPort")) {
      port.add(requiredField(port.field("containerPort")));
    } else port.between("containerPort", 1, 65_535);
    if (port.get("hostPort") !== 0) port.between("hostPort", 1, 65_535);
    port.oneOf("protocol", ["SCTP", "TCP", "UDP"]);
  }
}

const valueSources = [
  "fieldRef",
  "resourceFieldRef",
  "configMapKeyRef",
  "secretKeyRef",
  "fileKeyRef",
];
const fieldPaths =
  /^(?:metadata\.(?:name|namespace|uid|labels|annotations)|metadata\.(?:labels|annotations)\['.+'\]|spec\.(?:nodeName|serviceAccountName)|status\.(?:hostIP|hostIPs|podIP|podIPs))$/;

function validateEnvironment(container: Checker): void {
  for (const variable of container.items("env")) {
    if (variable.require("name")) variable.named("name", environmentNameProblems);
    const source = variable.maybe("valueFrom");
    if (source === undefined) continue;
    const given = valueSources.filter((key) => source.has(key));
    if (given.length === 0) {
      const detail =
        "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`";
      variable.invalid("valueFrom", "", detail);
    } else if (variable.text("value") !== "") {
      variable.invalid("valueFrom", "", "may not be specified when `value` is not empty");
    } else if (given.length > 1) {
      variable.invalid("valueFrom", "", "may not have more than one field specified at a time");
    }
    for (const key of ["configMapKeyRef", "secretKeyRef"]) {
      const reference = source.maybe(key);
      if (reference?.require("key") === true) reference.named("key", configKeyProblems);
    }
    const field = source.maybe("fieldRef");
    if (field?.require("fieldPath") === true) validateFieldPath(field);
  }
  for (const source of container.items("envFrom")) {
    if (source.has("configMapRef") || source.has("secretRef")) continue;
    container.invalid("envFrom", "", "must specify one of: `configMapRef` or `secretRef`");
  }
}

/** Fields of a pod that its containers can be told. */
function validateFieldPath(field: Checker): void {
  const path = field.text("fieldPath");
  const version = field.text("apiVersion");
  const [, key] = /^metadata\.(?:labels|annotations)\['(.+)'\]$/.exec(path) ?? [];
  if (version !== "" && version !== "v1") {
    const detail = `error converting fieldPath: unsupported pod version: ${version}`;
    field.invalid("fieldPath", path, detail);
  } else if (!fieldPaths.test(path)) {
    const detail = `error converting fieldPath: field label not supported: ${path}`;
    field.invalid("fieldPath", path, detail);
  } else if (path === "metadata.labels" || path === "metadata.annotations")
    field.add(notSupported(field.field("fieldPath"), path, singleFields));
  else if (key !== undefined)
    for (const problem of qualifiedNameProblems(key)) field.add(invalid(field.path, key, problem));
}

const singleFields = [
  "metadata.name",
  "metadata.namespace",
  "metadata.uid",
  "spec.nodeName",
  "spec.serviceAccountName",
  "status.hostIP",
  "status.hostIPs",
  "status.podIP",
  "status.podIPs",
];

function validateMounts(container: Checker, volumes: ReadonlySet<string>): void {
  const paths = new Set<string>();
  for (const mount of container.items("volumeMounts")) {
    const name = mount.text("name");
    if (mount.require("name") && !volumes.has(name)) mount.add(notFound(mount.field("name"), name));
    const path = mount.text("mountPath");
    if (!mount.require("mountPath")) continue;
    if (paths.has(path)) mount.invalid("mountPath", path, "must be unique");
    paths.add(path);
  }
}

const handlers = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];

function validateProbe(probe: Checker | undefined, mustSucceedOnce: boolean): void {
  if (probe === undefined) return;
  validateHandler(probe);
  for (const key of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ]) {
    probe.atLeast(key, 0);
  }
  const successes = probe.get("successThreshold");
  if (mustSucceedOnce && typeof successes === "number" && successes !== 1) {
    probe.invalid("successThreshold", successes, "must be 1");
  }
}

function validateHandler(handler: Checker | undefined): void {
  if (handler === undefined) return;
  const given = handlers.filter((key) => handler.has(key));
  if (given.length === 0) handler.add(requiredField(handler.path, "must specify a handler type"));
  for (const extra of given.slice(1)) {
    handler.forbid(extra, "may not specify more than 1 handler type");
  }
  handler.maybe("exec")?.require("command");
  validatePortReference(handler.maybe("httpGet"));
  validatePortReference(handler.maybe("tcpSocket"));
  handler.maybe("grpc")?.between("port", 1, 65_535);
}

function validatePortReference(action: Checker | undefined): void {
  if (action === undefined) return;
  action.between("port", 1, 65_535);
  if (typeof action.get("port") === "string") action.named("port", portNameProblems);
  action.oneOf("scheme", ["HTTP", "HTTPS"]);
}

const containerResources = /^(?:cpu|memory|ephemeral-storage|hugepages-.+|.+\/.+)$/;

/** Requests and limits, each and against each other. */
function validateResources(resources: Checker | undefined): void {
  if (resources === undefined) return;
  const limits = asObject(resources.get("limits")) ?? {};
  for (const list of ["limits", "requests"]) {
    for (const [name, amount] of Object.entries(asObject(resources.get(list)) ?? {})) {
      const key = `${list}[${name}]`;
      for (const problem of qualifiedNameProblems(name)) resources.invalid(key, name, problem);
      if (!containerResources.test(name)) {
        const detail = "must be a standard resource type or fully qualified";
        resources.invalid(key, name, detail);
        resources.invalid(key, name, "must be a standard resource for containers");
      }
      if (typeof amount === "string" && (compareQuantities(amount, "0") ?? 0) < 0) {
        resources.invalid(key, amount, "must be greater than or equal to 0");
      }
    }
  }
  for (const [name, amount] of Object.entries(asObject(resources.get("requests")) ?? {})) {
    const limit = limits[name];
    if (typeof amount !== "string" || typeof limit !== "string") continue;
    if ((compareQuantities(amount, limit) ?? 0) > 0) {
      const detail = `must be less than or equal to ${name} limit of ${limit}`;
      resources.add(invalid(resources.field("requests"), amount, detail));
    }
  }
}
