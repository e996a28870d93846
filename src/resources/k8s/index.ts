/** The kinds of Kubernetes as classes. */
import { kubernetesClass } from "./kubernetes-class.ts";
import type { KubernetesClass } from "./kubernetes-class.ts";

type Fields = Record<string, unknown>;
export const ConfigMap: KubernetesClass<Fields> = kubernetesClass("v1", "ConfigMap", true);
export const Secret: KubernetesClass<Fields> = kubernetesClass("v1", "Secret", true);
export const Service: KubernetesClass<Fields> = kubernetesClass("v1", "Service", true);
export const Deployment: KubernetesClass<Fields> = kubernetesClass("apps/v1", "Deployment", true);
