import { asObject } from "../../json/index.ts";
import { compareQuantities, quantityNumber } from "../quantity.ts";
import {
  duplicate,
  invalid,
  notFound,
  notSupported,
  requiredField,
  tooMany,
} from "../field-error.ts";
import { Checker } from "./checker.ts";
import { validateFieldReference, validateResourceReference } from "./downward-validation.ts";
import {
  backstepProblems,
  configKeyProblems,
  environmentNameProblems,
  headerNameProblems,
  labelProblems,
  portNameProblems,
  relativePathProblems,
  subdomainProblems,
} from "./names.ts";
import { canBeOvercommitted, isIntegerResource, resourceNameProblems } from "./resource-names.ts";
import { validateContainerSecurity } from "./security-validation.ts";

/** What containers of a pod can name, and the names that others have already. */
export interface Around {
  /** Volumes by name, with their type. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly claims: ReadonlySet<string>;
  readonly names: Set<string>;
  readonly isPod: boolean;
}

const notRestarted = "may not be set for init containers without restartPolicy=Always";
const probes = ["livenessProbe", "readinessProbe", "startupProbe"];

/** The containers of one list of a pod. */
export function validateContainers(
  spec: Checker,
  key: "containers" | "initContainers",
  around: Around,
): void {
  const { names } = around;
  const graceSeconds = Number(spec.get("terminationGracePeriodSeconds") ?? 30);
  const ports = new Set<string>();
  for (const container of spec.items(key)) {
    const name = container.text("name");
    container.requireNamed("name", labelProblems);
    if (name !== "" && names.has(name)) container.add(duplicate(container.field("name"), name));
    names.add(name);
    const image = container.text("image");
    container.require("image");
    if (around.isPod && image.trim() !== image)
      container.invalid("image", image, "must not have leading or trailing whitespace");
    if (key === "initContainers") ports.clear();
    validatePorts(container, ports);
    validateEnvironment(container);
    validateMounts(container, around.volumes);
    validateDevices(container, around.volumes);
    container.requireOneOf("imagePullPolicy", ["Always", "IfNotPresent", "Never"]);
    container.requireOneOf("terminationMessagePolicy", ["File", "FallbackToLogsOnError"]);
    validateRestarts(container, key);
    const isSidecar = key === "containers" || container.text("restartPolicy") === "Always";
    if (isSidecar) {
      for (const probe of probes) validateProbe(container.maybe(probe), probe, graceSeconds);
      validateLifecycle(container, graceSeconds);
    } else {
      for (const each of ["lifecycle", ...probes])
        if (container.has(each)) container.forbid(each, notRestarted);
    }
    validateResources(container.maybe("resources"), around.claims, "container");
    validateResizePolicy(container, spec.text("restartPolicy"), isSidecar);
    const context = container.maybe("securityContext");
    if (context !== undefined) validateContainerSecurity(context, spec.get("hostUsers") !== false);
  }
}

const restartPolicies = ["Always", "Never", "OnFailure"];
const mostRules = 20;

function validateRestarts(container: Checker, key: string): void {
  const rules = container.items("restartPolicyRules");
  const policy = container.get("restartPolicy");
  if (policy === undefined) {
    const detail = "must specify restartPolicy when restart rules are used";
    if (rules.length > 0) container.require("restartPolicy", detail);
  } else if (typeof policy === "string" && !restartPolicies.includes(policy)) {
    container.add(notSupported(container.field("restartPolicy"), policy, restartPolicies));
  } else if (key === "initContainers" && policy === "Always" && rules.length > 0) {
    const detail =
      "restartPolicyRules are not allowed for init containers with restart policy Always";
    container.forbid("restartPolicyRules", detail);
  }
  if (rules.length > mostRules)
    container.add(tooMany(container.field("restartPolicyRules"), rules.length, mostRules));
  for (const rule of rules) {
    const actions = ["Restart", "RestartAllContainers"];
    if (!actions.includes(rule.text("action")))
      rule.add(notSupported(rule.field("action"), rule.text("action"), actions));
    const codes = rule.maybe("exitCodes");
    if (codes === undefined) {
      rule.require("exitCodes", "must be specified");
      continue;
    }
    const operators = ["In", "NotIn"];
    if (!operators.includes(codes.text("operator")))
      codes.add(notSupported(codes.field("operator"), codes.text("operator"), operators));
  }
}

const resizable = ["cpu", "memory"];
const resizePolicies = ["NotRequired", "RestartContainer"];

/** The server names only the list in these. */
function validateResizePolicy(container: Checker, restarts: string, isSidecar: boolean): void {
  const seen = new Set<string>();
  const at = container.field("resizePolicy");
  for (const [index, each] of container.items("resizePolicy").entries()) {
    const [resource, policy] = [each.text("resourceName"), each.text("restartPolicy")];
    if (seen.has(resource)) container.add(duplicate(`${at}[${index}]`, resource));
    seen.add(resource);
    if (resource === "") container.add(requiredField(at));
    else if (!resizable.includes(resource)) container.add(notSupported(at, resource, resizable));
    if (policy === "") container.add(requiredField(at));
    else if (!resizePolicies.includes(policy))
      container.add(notSupported(at, policy, resizePolicies));
    if (restarts === "Never" && policy !== "NotRequired") {
      const detail = "must be 'NotRequired' when pod `restartPolicy` is 'Never'";
      container.add(invalid(at, policy, detail));
    }
    if (!isSidecar && policy === "RestartContainer") {
      const detail = "must not be set to 'RestartContainer' for non-sidecar init containers";
      each.invalid("restartPolicy", policy, detail);
    }
  }
}

function validatePorts(container: Checker, hostPorts: Set<string>): void {
  const names = new Set<string>();
  for (const port of container.items("ports")) {
    const name = port.text("name");
    port.named("name", portNameProblems);
    if (name !== "" && names.has(name)) port.add(duplicate(port.field("name"), name));
    names.add(name);
    if (port.get("containerPort") === 0 || !port.has("containerPort")) {
      port.add(requiredField(port.field("containerPort")));
    } else port.between("containerPort", 1, 65_535);
    const host = Number(port.get("hostPort") ?? 0);
    if (host !== 0) port.between("hostPort", 1, 65_535);
    port.requireOneOf("protocol", ["SCTP", "TCP", "UDP"]);
    if (host === 0) continue;
    const taken = `${port.text("protocol")}/${port.text("hostIP")}/${host}`;
    if (hostPorts.has(taken)) port.add(duplicate(port.field("hostPort"), taken));
    hostPorts.add(taken);
  }
}

const valueSources = [
  "fieldRef",
  "resourceFieldRef",
  "configMapKeyRef",
  "secretKeyRef",
  "fileKeyRef",
];

function validateEnvironment(container: Checker): void {
  for (const variable of container.items("env")) {
    variable.requireNamed("name", environmentNameProblems);
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
    validateValueSource(source);
  }
  const sources = ["configMapRef", "secretRef"];
  for (const source of container.items("envFrom")) {
    source.named("prefix", environmentNameProblems);
    const given = sources.filter((key) => source.has(key));
    for (const key of given) source.at(key).requireNamed("name", subdomainProblems);
    if (given.length === 1) continue;
    const detail =
      given.length === 0
        ? "must specify one of: `configMapRef` or `secretRef`"
        : "may not have more than one field specified at a time";
    container.invalid("envFrom", "", detail);
  }
}

function validateValueSource(source: Checker): void {
  for (const key of ["configMapKeyRef", "secretKeyRef"]) {
    const reference = source.maybe(key);
    if (reference === undefined) continue;
    reference.require("name");
    reference.requireNamed("key", configKeyProblems);
  }
  const field = source.maybe("fieldRef");
  if (field !== undefined) validateFieldReference(field, "variable");
  const resource = source.maybe("resourceFieldRef");
  if (resource !== undefined) validateResourceReference(resource, "variable");
  const file = source.maybe("fileKeyRef");
  if (file === undefined) return;
  file.requireNamed("key", environmentNameProblems);
  file.requireNamed("volumeName", labelProblems);
  file.requireNamed("path", backstepProblems);
}

const propagations = ["Bidirectional", "HostToContainer", "None"];
const recursions = ["Disabled", "Enabled", "IfPossible"];

function validateMounts(container: Checker, volumes: ReadonlyMap<string, string>): void {
  const paths = new Set<string>();
  const devices = container.items("volumeDevices");
  // The server leaves the index out of some of these paths.
  const at = new Checker(container.object, container.field("volumeMounts"), container.errors);
  for (const mount of container.items("volumeMounts")) {
    const [name, path] = [mount.text("name"), mount.text("mountPath")];
    mount.require("name");
    if (!volumes.has(name)) mount.add(notFound(mount.field("name"), name));
    mount.require("mountPath");
    if (paths.has(path)) mount.invalid("mountPath", path, "must be unique");
    paths.add(path);
    if (devices.some((device) => device.text("name") === name))
      mount.invalid("name", name, "must not already exist in volumeDevices");
    if (devices.some((device) => device.text("devicePath") === path)) {
      const detail = "must not already exist as a path in volumeDevices";
      mount.invalid("mountPath", path, detail);
    }
    mount.moved(at.path).named("subPath", relativePathProblems);
    mount.moved(at.path).named("subPathExpr", relativePathProblems);
    if (mount.text("subPath") !== "" && mount.text("subPathExpr") !== "") {
      const detail = "subPathExpr and subPath are mutually exclusive";
      mount.invalid("subPathExpr", mount.text("subPathExpr"), detail);
    }
    validatePropagation(mount.moved(at.path), container);
  }
}

function validatePropagation(mount: Checker, container: Checker): void {
  const propagation = mount.get("mountPropagation");
  if (typeof propagation === "string") {
    if (!propagations.includes(propagation))
      mount.add(notSupported(mount.field("mountPropagation"), propagation, propagations));
    const isPrivileged = container.at("securityContext").get("privileged") === true;
    if (propagation === "Bidirectional" && !isPrivileged) {
      const detail = "Bidirectional mount propagation is available only to privileged containers";
      mount.forbid("mountPropagation", detail);
    }
  }
  const recursion = mount.get("recursiveReadOnly");
  if (typeof recursion !== "string" || recursion === "Disabled") return;
  if (!recursions.includes(recursion)) {
    mount.add(notSupported(mount.field("recursiveReadOnly"), recursion, recursions));
    return;
  }
  if (mount.get("readOnly") !== true)
    mount.forbid("recursiveReadOnly", "may only be specified when readOnly is true");
  if (propagation !== undefined && propagation !== "None") {
    const detail = "may only be specified when mountPropagation is None or not specified";
    mount.forbid("recursiveReadOnly", detail);
  }
}

function validateDevices(container: Checker, volumes: ReadonlyMap<string, string>): void {
  const [names, paths] = [new Set<string>(), new Set<string>()];
  const mounts = container.items("volumeMounts");
  for (const device of container.items("volumeDevices")) {
    const [name, path] = [device.text("name"), device.text("devicePath")];
    const type = volumes.get(name);
    device.require("name");
    if (names.has(name)) device.invalid("name", name, "must be unique");
    if (type === undefined) device.add(notFound(device.field("name"), name));
    else if (type !== "persistentVolumeClaim" && type !== "ephemeral") {
      const detail =
        "can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode";
      device.invalid("name", name, detail);
    }
    device.require("devicePath");
    if (paths.has(path)) device.invalid("devicePath", path, "must be unique");
    if (backstepProblems(path).length > 0)
      device.invalid("devicePath", path, "can not contain backsteps ('..')");
    else paths.add(path);
    if (mounts.some((mount) => mount.text("name") === name))
      device.invalid("name", name, "must not already exist in volumeMounts");
    if (mounts.some((mount) => mount.text("mountPath") === path)) {
      const detail = "must not already exist as a path in volumeMounts";
      device.invalid("devicePath", path, detail);
    }
    if (name !== "") names.add(name);
  }
}

const handlers = ["exec", "httpGet", "tcpSocket", "grpc", "sleep"];

function validateProbe(probe: Checker | undefined, key: string, graceSeconds: number): void {
  if (probe === undefined) return;
  validateHandler(probe, graceSeconds);
  for (const each of [
    "initialDelaySeconds",
    "timeoutSeconds",
    "periodSeconds",
    "successThreshold",
    "failureThreshold",
  ]) {
    probe.atLeast(each, 0);
  }
  const seconds = probe.get("terminationGracePeriodSeconds");
  if (typeof seconds === "number" && seconds <= 0)
    probe.invalid("terminationGracePeriodSeconds", seconds, "must be greater than 0");
  if (key === "readinessProbe") {
    if (seconds !== undefined) {
      const detail = "must not be set for readinessProbes";
      probe.invalid("terminationGracePeriodSeconds", seconds, detail);
    }
    return;
  }
  const successes = probe.get("successThreshold");
  if (typeof successes === "number" && successes !== 1)
    probe.invalid("successThreshold", successes, "must be 1");
}

function validateLifecycle(container: Checker, graceSeconds: number): void {
  const lifecycle = container.maybe("lifecycle");
  if (lifecycle === undefined) return;
  for (const hook of ["postStart", "preStop"]) validateHandler(lifecycle.maybe(hook), graceSeconds);
}

function validateHandler(handler: Checker | undefined, graceSeconds: number): void {
  if (handler === undefined) return;
  const given = handlers.filter((key) => handler.has(key));
  const [first] = given;
  if (first === undefined) handler.add(requiredField(handler.path, "must specify a handler type"));
  for (const extra of given.slice(1)) {
    handler.forbid(extra, "may not specify more than 1 handler type");
  }
  if (first === undefined) return;
  const action = handler.at(first);
  if (first === "exec") action.require("command");
  else if (first === "sleep") {
    const seconds = Number(action.get("seconds") ?? 0);
    if (seconds >= 0 && seconds <= graceSeconds) return;
    const detail = `must be non-negative and less than terminationGracePeriodSeconds (${graceSeconds})`;
    handler.invalid("sleep", seconds, detail);
  } else validatePortReference(action, first);
}

function validatePortReference(action: Checker, type: string): void {
  const port = action.get("port");
  if (typeof port === "string") {
    for (const problem of portNameProblems(port)) action.invalid("port", port, problem);
  } else if (port === undefined) {
    action.invalid("port", 0, "must be between 1 and 65535, inclusive");
  } else action.between("port", 1, 65_535);
  if (type !== "httpGet") return;
  action.require("path");
  action.requireOneOf("scheme", ["HTTP", "HTTPS"]);
  for (const header of action.items("httpHeaders"))
    for (const problem of headerNameProblems(header.text("name")))
      action.invalid("httpHeaders", header.text("name"), problem);
}

/** The amount of one resource for a container. */
export function validateAmounts(
  checker: Checker,
  key: string,
  name: string,
  amount: unknown,
): void {
  for (const problem of resourceNameProblems(name, "container"))
    checker.invalid(key, name, problem);
  if (typeof amount !== "string") return;
  if ((compareQuantities(amount, "0") ?? 0) < 0)
    checker.invalid(key, amount, "must be greater than or equal to 0");
  if (isIntegerResource(name) && (quantityNumber(amount) ?? 0) % 1 !== 0)
    checker.invalid(key, amount, "must be an integer");
}

const ofPods = /^(?:cpu|memory|hugepages-.+)$/;

/** Requests and limits, each and against each other. */
export function validateResources(
  resources: Checker | undefined,
  claims: ReadonlySet<string>,
  use: "container" | "pod",
): void {
  if (resources === undefined) return;
  const limits = asObject(resources.get("limits")) ?? {};
  const requests = asObject(resources.get("requests")) ?? {};
  for (const list of ["limits", "requests"]) {
    for (const [name, amount] of resources.entries(list)) {
      const key = `${list}[${name}]`;
      validateAmounts(resources, key, name, amount);
      if (use === "pod" && !ofPods.test(name)) {
        resources.add(notSupported(resources.field(key), name, ["cpu", "hugepages-", "memory"]));
      }
    }
  }
  for (const [name, amount] of Object.entries(requests)) {
    const limit = limits[name];
    if (typeof amount !== "string") continue;
    if (typeof limit !== "string") {
      if (canBeOvercommitted(name) || resourceNameProblems(name, "container").length > 0) continue;
      const detail = "Limit must be set for non overcommitable resources";
      resources.add(requiredField(resources.field("limits"), detail));
      continue;
    }
    const difference = compareQuantities(amount, limit) ?? 0;
    if (difference > 0) {
      const detail = `must be less than or equal to ${name} limit of ${limit}`;
      resources.add(invalid(resources.field("requests"), amount, detail));
    } else if (difference < 0 && !canBeOvercommitted(name)) {
      const detail = `must be equal to ${name} limit of ${limit}`;
      resources.add(invalid(resources.field("requests"), amount, detail));
    }
  }
  validateClaimNames(resources, claims);
}

function validateClaimNames(resources: Checker, claims: ReadonlySet<string>): void {
  const seen = new Set<string>();
  for (const claim of resources.items("claims")) {
    const [name, request] = [claim.text("name"), claim.text("request")];
    if (name === "") {
      claim.add(requiredField(claim.path));
      continue;
    }
    claim.named("request", labelProblems);
    const key = request === "" ? name : `${name}/${request}`;
    const isTaken = [...seen].some(
      (each) => each === key || each === name || (request === "" && each.startsWith(`${name}/`)),
    );
    if (isTaken) claim.add(duplicate(claim.path, key));
    seen.add(key);
    if (!claims.has(name)) claim.add(notFound(claim.path, name));
  }
}
