import type { KubernetesObject } from "../../../objects/index.ts";
import type { ApiContext } from "../api-context.ts";
import { type AdmissionAttributes, admissionRefusal } from "./attributes.ts";

interface Container {
  readonly name: string;
  readonly volumeMounts?: readonly { readonly mountPath: string }[];
}

interface PodSpec {
  readonly containers?: readonly Container[];
  readonly initContainers?: readonly Container[];
  readonly serviceAccountName?: string;
  readonly automountServiceAccountToken?: boolean;
  readonly volumes?: readonly Volume[];
}

interface Volume {
  readonly name: string;
  readonly projected?: unknown;
}

const volumePrefix = "kube-api-access-";
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount";

/** A pod with the account that it runs as, and the token of it. */
export function withServiceAccount(
  { store, random }: ApiContext,
  attributes: AdmissionAttributes,
  pod: KubernetesObject,
): KubernetesObject {
  const spec = (pod["spec"] ?? {}) as PodSpec;
  const account = spec.serviceAccountName ?? "default";
  const { namespace = "" } = pod.metadata;
  const found = store.get("/serviceaccounts", namespace, account)?.object;
  if (found === undefined) {
    const why = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`;
    throw admissionRefusal(attributes, why);
  }
  const named = { ...spec, serviceAccountName: account, serviceAccount: account };
  const mounts = spec.automountServiceAccountToken ?? found["automountServiceAccountToken"] ?? true;
  if (mounts !== true || !lacksToken(named)) return { ...pod, spec: named };
  const present = (spec.volumes ?? []).find(({ name }) => name.startsWith(volumePrefix));
  const volume = present?.name ?? `${volumePrefix}${random.suffix(5)}`;
  return { ...pod, spec: withTokenVolume(named, volume, present === undefined) };
}

function lacksToken({ containers, initContainers }: PodSpec): boolean {
  // What is no list yet is refused later, by the validation of the pod.
  return [...(containers ?? []), ...(initContainers ?? [])].some((each) => !hasToken(each));
}

function hasToken({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some(({ mountPath }) => mountPath === tokenPath);
}

function withTokenVolume(spec: PodSpec, volume: string, isNew: boolean): PodSpec {
  const mount = { name: volume, readOnly: true, mountPath: tokenPath };
  const mounted = (container: Container): Container => {
    if (hasToken(container)) return container;
    return { ...container, volumeMounts: [...(container.volumeMounts ?? []), mount] };
  };
  return {
    ...spec,
    volumes: [...(spec.volumes ?? []), ...(isNew ? [tokenVolume(volume)] : [])],
    containers: (spec.containers ?? []).map(mounted),
    ...(spec.initContainers === undefined
      ? {}
      : { initContainers: spec.initContainers.map(mounted) }),
  };
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      defaultMode: 420,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [
              {
                path: "namespace",
                fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
              },
            ],
          },
        },
      ],
    },
  };
}
