import type { KubernetesObject, OwnerReference } from "../../objects/index.ts";
import type { ApiContext } from "../api/api-context.ts";
import type { Change } from "../store/history.ts";
import type { Controller, ObjectKey } from "./controller.ts";
import { InternalClient } from "./internal-client.ts";

const foreground = "foregroundDeletion";
const orphan = "orphan";

/** Deletes objects whose owners are gone, and lets owners go whose deletion waits for dependents. */
export function garbageCollector(context: ApiContext): Controller {
  const collector = new GarbageCollector(context);
  return {
    name: "garbage-collector",
    keysOf: (change) => collector.keysOf(change),
    reconcile: (key) => {
      collector.reconcile(key);
      return undefined;
    },
  };
}

/** Where an object is: the key of a controller cannot say which resource it is of. */
interface Place {
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

class GarbageCollector {
  readonly #client: InternalClient;
  readonly #placeByUid = new Map<string, Place>();
  readonly #dependentsByOwner = new Map<string, Set<string>>();

  constructor(context: ApiContext) {
    this.#client = new InternalClient(context, "kube-controller-manager");
  }

  /** Keeps the graph of owners up to date; what must be looked at again is named by its uid. */
  keysOf({ type, resource, stored, previous }: Change): readonly ObjectKey[] {
    const { metadata } = stored.object;
    const { uid } = metadata;
    if (uid === undefined) return [];
    if (type === "MODIFIED" && previous !== undefined) {
      const { ownerReferences, deletionTimestamp } = previous.object.metadata;
      const isWaiting = deletionTimestamp !== undefined || metadata.deletionTimestamp !== undefined;
      // Most writes are about a status; they keep the very references that there were.
      if (!isWaiting && ownerReferences === metadata.ownerReferences) return [];
    }
    const owners = (metadata.ownerReferences ?? []).map((owner) => owner.uid);
    const earlier = (previous?.object.metadata.ownerReferences ?? []).map((owner) => owner.uid);
    for (const owner of earlier) this.#dependentsByOwner.get(owner)?.delete(uid);
    if (type === "DELETED") {
      this.#placeByUid.delete(uid);
      const dependents = [...(this.#dependentsByOwner.get(uid) ?? [])];
      this.#dependentsByOwner.delete(uid);
      return [...dependents, ...owners].map(keyOf);
    }
    this.#placeByUid.set(uid, { resource, namespace: stored.namespace, name: stored.name });
    for (const owner of owners) this.#dependents(owner).add(uid);
    const isWaiting = metadata.deletionTimestamp !== undefined;
    const changed = owners.length > 0 && owners.join() !== earlier.join();
    return isWaiting || changed || (previous === undefined && owners.length > 0)
      ? [keyOf(uid), ...earlier.map(keyOf)]
      : [];
  }

  reconcile({ name: uid }: ObjectKey): void {
    const place = this.#placeByUid.get(uid);
    if (place === undefined) return;
    const object = this.#client.get(place.resource, place.namespace, place.name);
    if (object === undefined || object.metadata.uid !== uid) return;
    if (object.metadata.deletionTimestamp !== undefined) this.#finishDeletion(place, object, uid);
    else this.#collect(place, object);
  }

  /** Deletes a dependent whose owners are all gone; forgets single ones that are. */
  #collect(place: Place, object: KubernetesObject): void {
    const owners = object.metadata.ownerReferences ?? [];
    if (owners.length === 0) return;
    const solid = owners.filter((owner) => this.#isSolid(owner, place.namespace));
    if (solid.length === owners.length) return;
    if (solid.length > 0) {
      this.#keepOwners(place, (owner) => this.#isSolid(owner, place.namespace));
      return;
    }
    const isForeground = owners.some((owner) => this.#waitsForDependents(owner));
    const { uid, resourceVersion } = object.metadata;
    this.#client.delete(place.resource, place.namespace, place.name, {
      propagationPolicy: isForeground ? "Foreground" : "Background",
      preconditions: {
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      },
    });
  }

  #finishDeletion(place: Place, object: KubernetesObject, uid: string): void {
    const finalizers = object.metadata.finalizers ?? [];
    if (finalizers.includes(orphan)) {
      for (const dependent of this.#dependentPlaces(uid))
        this.#keepOwners(dependent, (owner) => owner.uid !== uid);
      this.#removeFinalizer(place, orphan);
    } else if (finalizers.includes(foreground)) {
      const blocking = this.#dependentPlaces(uid).filter((dependent) =>
        this.#blocks(dependent, uid),
      );
      if (blocking.length === 0) this.#removeFinalizer(place, foreground);
      else
        for (const dependent of this.#dependentPlaces(uid))
          this.#deleteInForeground(dependent, uid);
    }
  }

  #deleteInForeground(place: Place, ownerUid: string): void {
    const object = this.#client.get(place.resource, place.namespace, place.name);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) return;
    const others = (object.metadata.ownerReferences ?? []).filter(
      (owner) => owner.uid !== ownerUid,
    );
    if (others.some((owner) => this.#isSolid(owner, place.namespace))) {
      this.#keepOwners(place, (owner) => owner.uid !== ownerUid);
    } else {
      this.#client.delete(place.resource, place.namespace, place.name, {
        propagationPolicy: "Foreground",
      });
    }
  }

  #blocks(place: Place, ownerUid: string): boolean {
    const object = this.#client.get(place.resource, place.namespace, place.name);
    return (object?.metadata.ownerReferences ?? []).some(
      (owner) => owner.uid === ownerUid && owner.blockOwnerDeletion === true,
    );
  }

  /** There is such an owner, of this very uid, and it does not take its dependents with it. */
  #isSolid(owner: OwnerReference, namespace: string): boolean {
    const place = this.#placeByUid.get(owner.uid);
    if (place === undefined || (place.namespace !== "" && place.namespace !== namespace))
      return false;
    return !this.#waitsForDependents(owner);
  }

  #waitsForDependents({ uid }: OwnerReference): boolean {
    const place = this.#placeByUid.get(uid);
    if (place === undefined) return false;
    const owner = this.#client.get(place.resource, place.namespace, place.name);
    return (
      owner?.metadata.deletionTimestamp !== undefined &&
      (owner.metadata.finalizers ?? []).includes(foreground)
    );
  }

  #keepOwners(place: Place, keeps: (owner: OwnerReference) => boolean): void {
    this.#client.update(place.resource, place.namespace, place.name, (live) => {
      const { ownerReferences = [], ...metadata } = live.metadata;
      const kept = ownerReferences.filter(keeps);
      return {
        ...live,
        metadata: kept.length === 0 ? metadata : { ...metadata, ownerReferences: kept },
      };
    });
  }

  #removeFinalizer(place: Place, finalizer: string): void {
    this.#client.update(place.resource, place.namespace, place.name, (live) => {
      const { finalizers = [], ...metadata } = live.metadata;
      const kept = finalizers.filter((each) => each !== finalizer);
      return {
        ...live,
        metadata: kept.length === 0 ? metadata : { ...metadata, finalizers: kept },
      };
    });
  }

  #dependentPlaces(uid: string): readonly Place[] {
    const places = [...(this.#dependentsByOwner.get(uid) ?? [])].map((each) =>
      this.#placeByUid.get(each),
    );
    return places.filter((place) => place !== undefined);
  }

  #dependents(owner: string): Set<string> {
    let dependents = this.#dependentsByOwner.get(owner);
    if (dependents === undefined) {
      dependents = new Set();
      this.#dependentsByOwner.set(owner, dependents);
    }
    return dependents;
  }
}

function keyOf(uid: string): ObjectKey {
  return { namespace: "", name: uid };
}
