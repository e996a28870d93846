import type { Strategy } from "../strategy.ts";
import { daemonSetStrategy } from "./daemon-set-strategy.ts";
import { definitionStrategy } from "./definition-strategy.ts";
import { jobStrategy } from "./job-strategy.ts";
import { namespaceStrategy } from "./namespace-strategy.ts";
import { podStrategy } from "./pod-strategy.ts";
import { serviceStrategy } from "./service-strategy.ts";
import { claimStrategy, volumeStrategy } from "./volume-strategies.ts";

const counted: Partial<Strategy> = { generation: true };
const workload: Partial<Strategy> = { generation: true, initialStatus: "drop" };
const versioned: Partial<Strategy> = { generation: true, unconditionalUpdate: false };
const returned: Partial<Strategy> = { returnsDeletedObject: true };
const puttable: Partial<Strategy> = { createOnUpdate: true };

/** How the built-in resources differ from the ordinary one, as observed on a real API server. */
export const builtinStrategies: Readonly<Record<string, Partial<Strategy>>> = {
  "/endpoints": puttable,
  "/events": puttable,
  "/limitranges": puttable,
  "/namespaces": namespaceStrategy,
  "/nodes": { initialStatus: "keep" },
  "/persistentvolumeclaims": claimStrategy,
  "/persistentvolumes": volumeStrategy,
  "/pods": podStrategy,
  "/podtemplates": { generation: true, returnsDeletedObject: true },
  "/replicationcontrollers": { ...workload, returnsDeletedObject: true },
  "/resourcequotas": { initialStatus: "drop", returnsDeletedObject: true },
  "/serviceaccounts": returned,
  "/services": serviceStrategy,
  "admissionregistration.k8s.io/mutatingadmissionpolicies": versioned,
  "admissionregistration.k8s.io/mutatingadmissionpolicybindings": versioned,
  "admissionregistration.k8s.io/mutatingwebhookconfigurations": versioned,
  "admissionregistration.k8s.io/validatingadmissionpolicies": {
    ...versioned,
    initialStatus: "drop",
  },
  "admissionregistration.k8s.io/validatingadmissionpolicybindings": versioned,
  "admissionregistration.k8s.io/validatingwebhookconfigurations": versioned,
  "apiextensions.k8s.io/customresourcedefinitions": definitionStrategy,
  "apiregistration.k8s.io/apiservices": { initialStatus: "drop", unconditionalUpdate: false },
  "apps/daemonsets": daemonSetStrategy,
  "apps/deployments": { ...workload, annotationsCount: true },
  "apps/replicasets": workload,
  "apps/statefulsets": workload,
  "autoscaling/horizontalpodautoscalers": { initialStatus: "drop" },
  "batch/cronjobs": workload,
  "batch/jobs": jobStrategy,
  "certificates.k8s.io/certificatesigningrequests": {
    initialStatus: "drop",
    // What was asked for stays.
    prepareUpdate: (request, old) => ({ ...request, spec: old["spec"] }),
  },
  "coordination.k8s.io/leases": { createOnUpdate: true, unconditionalUpdate: false },
  "discovery.k8s.io/endpointslices": { generation: true, labelsCount: true },
  "flowcontrol.apiserver.k8s.io/flowschemas": workload,
  "flowcontrol.apiserver.k8s.io/prioritylevelconfigurations": workload,
  "networking.k8s.io/ingressclasses": counted,
  "networking.k8s.io/ingresses": workload,
  "networking.k8s.io/networkpolicies": counted,
  "node.k8s.io/runtimeclasses": { createOnUpdate: true, unconditionalUpdate: false },
  "policy/poddisruptionbudgets": { ...workload, unconditionalUpdate: false },
  "rbac.authorization.k8s.io/clusterrolebindings": puttable,
  "rbac.authorization.k8s.io/clusterroles": puttable,
  "rbac.authorization.k8s.io/rolebindings": puttable,
  "rbac.authorization.k8s.io/roles": puttable,
  "scheduling.k8s.io/priorityclasses": counted,
  "storage.k8s.io/csidrivers": { returnsDeletedObject: true, unconditionalUpdate: false },
  "storage.k8s.io/csinodes": { returnsDeletedObject: true, unconditionalUpdate: false },
  "storage.k8s.io/storageclasses": returned,
  "storage.k8s.io/volumeattachments": {
    initialStatus: "drop",
    returnsDeletedObject: true,
    unconditionalUpdate: false,
  },
};
