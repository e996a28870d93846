import type { KubernetesObject } from "../../objects/index.ts";
import { timestamp } from "../clock.ts";
import { InternalClient } from "./internal-client.ts";
import { type Runtime, nodes, services } from "./runtime.ts";
import { storageClasses } from "./storage-class.ts";

export const nodeName = "sandbox-0";
export const nodeAddress = "192.168.49.2";
export const provisioner = "sandbox.keelson.dev/local";
const kubeletVersion = "v1.36.3";
const resources = { cpu: "64", memory: "256Gi", pods: "10k", "ephemeral-storage": "1Ti" };

/** Makes what a new cluster has: a node, a class of storage, the service of the API itself. */
export function createFirstObjects(runtime: Runtime): void {
  const { api } = runtime;
  const server = new InternalClient(api, "kube-apiserver");
  createOnce(server, services, kubernetesService);
  createOnce(server, storageClasses, standardClass);
  const kubelet = new InternalClient(api, "kubelet");
  createOnce(kubelet, nodes, {
    kind: "Node",
    apiVersion: "v1",
    metadata: {
      name: nodeName,
      labels: {
        "beta.kubernetes.io/arch": "amd64",
        "beta.kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        "kubernetes.io/hostname": nodeName,
        "kubernetes.io/os": "linux",
      },
    },
    status: nodeStatus(nodeName, timestamp(api.clock.now())),
  });
}

const kubernetesService: KubernetesObject = {
  kind: "Service",
  apiVersion: "v1",
  metadata: {
    name: "kubernetes",
    namespace: "default",
    labels: { component: "apiserver", provider: "kubernetes" },
  },
  spec: {
    type: "ClusterIP",
    clusterIP: "10.96.0.1",
    ports: [{ name: "https", port: 443, protocol: "TCP", targetPort: 6443 }],
    sessionAffinity: "None",
  },
};

const standardClass: KubernetesObject = {
  kind: "StorageClass",
  apiVersion: "storage.k8s.io/v1",
  metadata: {
    name: "standard",
    annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
  },
  provisioner,
  reclaimPolicy: "Delete",
  volumeBindingMode: "Immediate",
  allowVolumeExpansion: true,
};

/** What a healthy kubelet says of its node. */
function nodeStatus(name: string, now: string): object {
  const condition = (type: string, status: string, reason: string, message: string): object => ({
    type,
    status,
    lastHeartbeatTime: now,
    lastTransitionTime: now,
    reason,
    message,
  });
  return {
    capacity: resources,
    allocatable: resources,
    conditions: [
      condition(
        "MemoryPressure",
        "False",
        "KubeletHasSufficientMemory",
        "kubelet has sufficient memory available",
      ),
      condition(
        "DiskPressure",
        "False",
        "KubeletHasNoDiskPressure",
        "kubelet has no disk pressure",
      ),
      condition(
        "PIDPressure",
        "False",
        "KubeletHasSufficientPID",
        "kubelet has sufficient PID available",
      ),
      condition("Ready", "True", "KubeletReady", "kubelet is posting ready status"),
    ],
    addresses: [
      { type: "InternalIP", address: nodeAddress },
      { type: "Hostname", address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: "",
      systemUUID: "",
      bootID: "",
      kernelVersion: "sandbox",
      osImage: "Keelson sandbox",
      containerRuntimeVersion: "sandbox://1.0.0",
      kubeletVersion,
      kubeProxyVersion: "",
      operatingSystem: "linux",
      architecture: "amd64",
    },
  };
}

function createOnce(client: InternalClient, storageKey: string, object: KubernetesObject): void {
  const { namespace = "", name = "" } = object.metadata;
  if (client.get(storageKey, namespace, name) === undefined) client.create(storageKey, object);
}
