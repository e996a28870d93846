import type { KubernetesObject } from "../../objects/index.ts";
import { compareQuantities } from "../../schema/index.ts";
import type { Controller } from "./controller.ts";
import type { EventWriter } from "./event-writer.ts";
import { provisioner } from "./first-objects.ts";
import { matchVolume } from "./match-volume.ts";
import { asPod, isFinished } from "./pod-state.ts";
import { type Runtime, claims, pods, volumes } from "./runtime.ts";
import { claimNames } from "./scheduler.ts";
import { className, storageClasses } from "./storage-class.ts";
import {
  type Claim,
  type PersistentVolume,
  bindCompleted,
  boundByController,
  isFor,
  requestOf,
} from "./volume-types.ts";
import { putStatus } from "./put-status.ts";

const protection = "kubernetes.io/pvc-protection";
const selectedNode = "volume.kubernetes.io/selected-node";
const provisionerAnnotations = [
  "volume.beta.kubernetes.io/storage-provisioner",
  "volume.kubernetes.io/storage-provisioner",
];

/** Binds claims to volumes, provisions what the sandbox's own class provides, protects what is used. */
export function claimController(runtime: Runtime): Controller {
  const events = runtime.recorder("persistentvolume-controller");
  const users = new ClaimUsers();
  const pending = (): readonly { namespace: string; name: string }[] =>
    runtime.api.store
      .list(claims)
      .filter(({ object }) => (object as Claim).status?.phase !== "Bound")
      .map(({ namespace, name }) => ({ namespace, name }));
  return {
    name: "claim",
    watches: [claims, pods, storageClasses, volumes],
    keysOf: ({ resource, type, stored }) => {
      if (resource === claims) return type === "DELETED" ? [] : [stored];
      if (resource === pods) return users.take(stored.object, type === "DELETED");
      if (resource === storageClasses) return pending();
      if (resource !== volumes) return [];
      const { claimRef } = (stored.object as PersistentVolume).spec;
      if (claimRef === undefined) return pending();
      return [{ namespace: claimRef.namespace ?? "", name: claimRef.name ?? "" }];
    },
    reconcile: ({ namespace, name }) => {
      const claim = runtime.client.get(claims, namespace, name);
      if (claim !== undefined) new ClaimSync(runtime, events, users, claim as Claim).sync();
      return undefined;
    },
  };
}

/** Which pods use which claims. */
class ClaimUsers {
  readonly #users = new Map<string, Set<string>>();

  take(
    object: KubernetesObject,
    isDeleted: boolean,
  ): readonly { namespace: string; name: string }[] {
    const pod = asPod(object);
    const { namespace = "", uid = "" } = pod.metadata;
    const names = claimNames(pod);
    for (const name of names) {
      const key = `${namespace}/${name}`;
      const users = this.#users.get(key) ?? new Set();
      if (isDeleted || isFinished(pod)) users.delete(uid);
      else users.add(uid);
      if (users.size === 0) this.#users.delete(key);
      else this.#users.set(key, users);
    }
    return names.map((name) => ({ namespace, name }));
  }

  isUsed({ metadata }: Claim): boolean {
    return this.#users.has(`${metadata.namespace ?? ""}/${metadata.name ?? ""}`);
  }
}

class ClaimSync {
  readonly #runtime: Runtime;
  readonly #events: EventWriter;
  readonly #users: ClaimUsers;
  readonly #claim: Claim;

  constructor(runtime: Runtime, events: EventWriter, users: ClaimUsers, claim: Claim) {
    this.#runtime = runtime;
    this.#events = events;
    this.#users = users;
    this.#claim = claim;
  }

  sync(): void {
    const claim = this.#claim;
    if (claim.metadata.deletionTimestamp !== undefined) {
      if (!this.#users.isUsed(claim)) this.#unprotect();
      return;
    }
    if (claim.metadata.annotations?.[bindCompleted] !== undefined) {
      this.#check();
      return;
    }
    const found = this.#find();
    if (found !== undefined) this.#bind(found);
  }

  /** A bound claim follows its volume: it may grow, and it is lost when the volume is. */
  #check(): void {
    const claim = this.#claim;
    const { volumeName = "" } = claim.spec;
    const volume = this.#runtime.client.get(volumes, "", volumeName) as
      | PersistentVolume
      | undefined;
    if (volume === undefined || !isFor(volume, claim)) {
      if (claim.status?.phase === "Lost") return;
      putStatus(this.#runtime.client, claims, claim, { phase: "Lost" });
      this.#note(
        "Warning",
        "ClaimLost",
        "Bound claim has lost its PersistentVolume. Data on the volume is lost!",
      );
      return;
    }
    const grown = this.#grow(volume);
    putStatus(this.#runtime.client, claims, claim, {
      ...claim.status,
      phase: "Bound",
      accessModes: grown.spec.accessModes ?? [],
      capacity: grown.spec.capacity ?? {},
    });
  }

  #grow(volume: PersistentVolume): PersistentVolume {
    const size = volume.spec.capacity?.["storage"] ?? "0";
    const wanted = requestOf(this.#claim);
    const found = this.#runtime.client.get(storageClasses, "", className(this.#claim));
    const isAllowed =
      found?.["allowVolumeExpansion"] === true && found["provisioner"] === provisioner;
    if (!isAllowed || (compareQuantities(wanted, size) ?? 0) <= 0) return volume;
    const updated = this.#runtime.client.update(
      volumes,
      "",
      volume.metadata.name ?? "",
      (live) => ({
        ...live,
        spec: { ...(live as PersistentVolume).spec, capacity: { storage: wanted } },
      }),
    );
    return (updated as PersistentVolume | undefined) ?? volume;
  }

  /** A volume for the claim: one that is there, or a new one; says why there is none yet. */
  #find(): PersistentVolume | undefined {
    const claim = this.#claim;
    const all = this.#runtime.client.list(volumes) as readonly PersistentVolume[];
    const { client } = this.#runtime;
    const name = className(claim);
    const storageClass = name === "" ? undefined : client.get(storageClasses, "", name);
    const waits =
      storageClass?.["volumeBindingMode"] === "WaitForFirstConsumer" &&
      claim.metadata.annotations?.[selectedNode] === undefined &&
      (claim.spec.volumeName ?? "") === "";
    if (waits) {
      const message = "waiting for first consumer to be created before binding";
      this.#note("Normal", "WaitForFirstConsumer", message);
      return undefined;
    }
    const found = matchVolume(claim, all);
    if (found !== undefined || (claim.spec.volumeName ?? "") !== "") return found;
    if (name === "") {
      const message = "no persistent volumes available for this claim and no storage class is set";
      this.#note("Normal", "FailedBinding", message);
      return undefined;
    }
    if (storageClass === undefined) {
      const message = `storageclass.storage.k8s.io "${name}" not found`;
      this.#note("Warning", "ProvisioningFailed", message);
      return undefined;
    }
    return this.#provision(storageClass);
  }

  #provision(storageClass: KubernetesObject): PersistentVolume | undefined {
    const claim = this.#claim;
    const { namespace = "", name = "", uid = "", annotations = {} } = claim.metadata;
    const by = (storageClass["provisioner"] ?? "") as string;
    if (by === "kubernetes.io/no-provisioner") return undefined;
    if (provisionerAnnotations.some((each) => annotations[each] !== by)) {
      const added = Object.fromEntries(provisionerAnnotations.map((each) => [each, by]));
      this.#runtime.client.update(claims, namespace, name, (live) => ({
        ...live,
        metadata: { ...live.metadata, annotations: { ...live.metadata.annotations, ...added } },
      }));
      this.#note(
        "Normal",
        "ExternalProvisioning",
        `Waiting for a volume to be created either by the external provisioner '${by}' or manually by the system administrator. If volume creation is delayed, please verify that the provisioner is running and correctly registered.`,
      );
    }
    if (by !== provisioner) return undefined;
    const volume = `pvc-${uid}`;
    const made = this.#runtime.client.create(volumes, {
      kind: "PersistentVolume",
      apiVersion: "v1",
      metadata: { name: volume, annotations: { "pv.kubernetes.io/provisioned-by": provisioner } },
      spec: {
        capacity: { storage: requestOf(claim) },
        hostPath: { path: `/sandbox/volumes/${volume}`, type: "DirectoryOrCreate" },
        accessModes: claim.spec.accessModes ?? [],
        claimRef: this.#reference(),
        persistentVolumeReclaimPolicy: storageClass["reclaimPolicy"] ?? "Delete",
        storageClassName: className(claim),
        volumeMode: claim.spec.volumeMode ?? "Filesystem",
      },
    });
    if (made === undefined) return undefined;
    this.#note("Normal", "ProvisioningSucceeded", `Successfully provisioned volume ${volume}`);
    return made as PersistentVolume;
  }

  #bind(volume: PersistentVolume): void {
    const claim = this.#claim;
    const { client } = this.#runtime;
    const { namespace = "", name = "" } = claim.metadata;
    const volumeName = volume.metadata.name ?? "";
    if ((volume.spec.claimRef?.uid ?? "") === "") {
      client.update(volumes, "", volumeName, (live) => ({
        ...live,
        metadata: {
          ...live.metadata,
          annotations: { ...live.metadata.annotations, [boundByController]: "yes" },
        },
        spec: { ...(live as PersistentVolume).spec, claimRef: this.#reference() },
      }));
    }
    const isByHand = (claim.spec.volumeName ?? "") !== "";
    client.update(claims, namespace, name, (live) => ({
      ...live,
      metadata: {
        ...live.metadata,
        annotations: {
          ...live.metadata.annotations,
          [bindCompleted]: "yes",
          ...(isByHand ? {} : { [boundByController]: "yes" }),
        },
      },
      spec: { ...(live as Claim).spec, volumeName },
    }));
    client.updateStatus(claims, namespace, name, (live) => ({
      ...(live as Claim).status,
      phase: "Bound",
      accessModes: volume.spec.accessModes ?? [],
      capacity: volume.spec.capacity ?? {},
    }));
  }

  #reference(): object {
    const { namespace, name, uid, resourceVersion } = this.#claim.metadata;
    return {
      kind: "PersistentVolumeClaim",
      namespace,
      name,
      uid,
      apiVersion: "v1",
      resourceVersion,
    };
  }

  #unprotect(): void {
    const { namespace = "", name = "", finalizers = [] } = this.#claim.metadata;
    if (!finalizers.includes(protection)) return;
    this.#runtime.client.update(claims, namespace, name, (live) => {
      const { finalizers: held = [], ...metadata } = live.metadata;
      const kept = held.filter((each) => each !== protection);
      return {
        ...live,
        metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept },
      };
    });
  }

  #note(type: "Normal" | "Warning", reason: string, message: string): void {
    this.#events.record(this.#claim, { type, reason, message });
  }
}
