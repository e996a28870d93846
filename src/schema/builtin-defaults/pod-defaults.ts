import { type JsonObject, objectAt, objectsAt } from "../../json/index.ts";
import {
  type DefaultsByType,
  ensureObject,
  isSet,
  setDefault,
  setNumber,
} from "./type-defaults.ts";

/** Pods, pod templates and all that may stand in them. */
export const podDefaults: DefaultsByType = {
  "core.v1.Pod": (pod) => {
    const spec = ensureObject(pod, "spec");
    const containers = [...objectsAt(spec, "containers"), ...objectsAt(spec, "initContainers")];
    for (const container of containers) requestLimits(container);
    setDefault(spec, "enableServiceLinks", true);
    if (spec["hostNetwork"] === true) for (const each of containers) useHostPorts(each);
  },
  "core.v1.PodSpec": (spec) => {
    setDefault(spec, "dnsPolicy", "ClusterFirst");
    setDefault(spec, "restartPolicy", "Always");
    ensureObject(spec, "securityContext");
    setDefault(spec, "terminationGracePeriodSeconds", 30);
    setDefault(spec, "schedulerName", "default-scheduler");
    dropUnavailable(spec);
    // The older name of the field is kept in step.
    if (isSet(spec, "serviceAccountName")) {
      spec["serviceAccount"] = spec["serviceAccountName"] ?? "";
    } else if (isSet(spec, "serviceAccount")) {
      spec["serviceAccountName"] = spec["serviceAccount"] ?? "";
    }
  },
  "core.v1.Container": defaultContainer,
  "core.v1.EphemeralContainer": defaultContainer,
  "core.v1.Probe": (probe) => {
    setNumber(probe, "timeoutSeconds", 1);
    setNumber(probe, "periodSeconds", 10);
    setNumber(probe, "successThreshold", 1);
    setNumber(probe, "failureThreshold", 3);
  },
  "core.v1.HTTPGetAction": (action) => {
    setDefault(action, "path", "/");
    setDefault(action, "scheme", "HTTP");
  },
  "core.v1.GRPCAction": (action) => setDefault(action, "service", ""),
  "core.v1.ObjectFieldSelector": (selector) => setDefault(selector, "apiVersion", "v1"),
  "core.v1.Volume": (volume) => {
    if (Object.keys(volume).every((key) => key === "name")) volume["emptyDir"] = {};
    const image = objectAt(volume, "image");
    if (image !== undefined) setDefault(image, "pullPolicy", pullPolicy(image["reference"]));
  },
  "core.v1.SecretVolumeSource": defaultMode,
  "core.v1.ConfigMapVolumeSource": defaultMode,
  "core.v1.DownwardAPIVolumeSource": defaultMode,
  "core.v1.ProjectedVolumeSource": defaultMode,
  "core.v1.ServiceAccountTokenProjection": (projection) =>
    setDefault(projection, "expirationSeconds", 3600),
  "core.v1.HostPathVolumeSource": (source) => setDefault(source, "type", ""),
};

/** Fields of features that are off by default; the server forgets what is in them. */
function dropUnavailable(spec: JsonObject): void {
  delete spec["schedulingGroup"];
  for (const list of ["containers", "initContainers"])
    for (const container of objectsAt(spec, list)) {
      const lifecycle = objectAt(container, "lifecycle");
      if (lifecycle !== undefined) delete lifecycle["stopSignal"];
    }
  for (const volume of objectsAt(spec, "volumes"))
    for (const source of objectsAt(objectAt(volume, "projected") ?? {}, "sources"))
      for (const key of ["clusterTrustBundle", "podCertificate"]) delete source[key];
}

function defaultContainer(container: JsonObject): void {
  setDefault(container, "imagePullPolicy", pullPolicy(container["image"]));
  setDefault(container, "terminationMessagePath", "/dev/termination-log");
  setDefault(container, "terminationMessagePolicy", "File");
}

function defaultMode(source: JsonObject): void {
  setDefault(source, "defaultMode", 420);
}

/** A container that is limited but asks for nothing asks for its limits. */
function requestLimits(container: JsonObject): void {
  const resources = objectAt(container, "resources");
  const limits = resources === undefined ? undefined : objectAt(resources, "limits");
  if (resources === undefined || limits === undefined) return;
  resources["requests"] = { ...limits, ...objectAt(resources, "requests") };
}

function useHostPorts(container: JsonObject): void {
  for (const port of objectsAt(container, "ports")) {
    setDefault(port, "hostPort", port["containerPort"] ?? 0);
  }
}

const imagePattern =
  /^(?:[A-Za-z0-9](?:[A-Za-z0-9.-]*[A-Za-z0-9])?(?::\d+)?\/)?[a-z0-9]+(?:[._\-/]+[a-z0-9]+)*(?::([\w.-]+))?(@[\w+.:-]+)?$/;

/** A moving tag is pulled every time. An image that cannot be read is taken for a fixed one. */
function pullPolicy(image: unknown): string {
  const match = typeof image === "string" ? imagePattern.exec(image) : null;
  if (match === null) return "IfNotPresent";
  const [, tag, digest] = match;
  return tag === "latest" || (tag === undefined && digest === undefined)
    ? "Always"
    : "IfNotPresent";
}
