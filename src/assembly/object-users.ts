import { fieldAt } from "../json/index.ts";
import { identityKey, type ObjectIdentity } from "../objects/index.ts";
import { podReferences, referencesOf } from "../plan/index.ts";
import type { AssemblyObject } from "./assembly-object.ts";
import { requirementsOfPairs, requirementsOfSelector } from "./label-selector.ts";
import { PodIndex } from "./pod-index.ts";

type Users = readonly AssemblyObject[];

const none: Users = [];

/** Tells which workloads use an object. */
export class ObjectUsers {
  readonly #pods = new PodIndex();
  readonly #references = new Map<string, Set<AssemblyObject>>();
  readonly #workloads = new Map<string, AssemblyObject>();
  readonly #services = new Map<string, AssemblyObject>();

  constructor(workloads: readonly AssemblyObject[], objects: readonly AssemblyObject[]) {
    for (const workload of workloads) {
      this.#workloads.set(placeOf(workload), workload);
      for (const template of workload.podTemplates) {
        if (!isHook(workload)) this.#pods.add(workload, template);
        for (const { target } of podReferences(template.spec, workload.namespace))
          this.#use(identityKey(target), workload);
      }
    }
    for (const object of objects)
      if (object.kind === "Service" && object.group === "")
        this.#services.set(placeOf(object), object);
  }

  /** The one workload that uses an object; undefined if there is none, or more than one. */
  onlyUserOf(object: AssemblyObject): AssemblyObject | undefined {
    const [only, second] = this.#usersOf(object);
    return second === undefined ? only : undefined;
  }

  #usersOf(object: AssemblyObject): Users {
    switch (`${object.group}/${object.kind}`) {
      case "/ConfigMap":
      case "/PersistentVolumeClaim":
      case "/Secret":
      case "/ServiceAccount":
        return [...(this.#references.get(placeOf(object)) ?? none)];
      case "/Service":
        return this.#behindService(object);
      case "policy/PodDisruptionBudget": {
        const selector = fieldAt(object.given.object, "spec", "selector");
        return this.#pods.select(object.namespace, requirementsOfSelector(selector) ?? []);
      }
      case "autoscaling/HorizontalPodAutoscaler":
        return this.#targetsOf(object).flatMap((key) => this.#workloads.get(key) ?? none);
      case "extensions/Ingress":
      case "gateway.networking.k8s.io/GRPCRoute":
      case "gateway.networking.k8s.io/HTTPRoute":
      case "gateway.networking.k8s.io/TCPRoute":
      case "gateway.networking.k8s.io/TLSRoute":
      case "gateway.networking.k8s.io/UDPRoute":
      case "networking.k8s.io/Ingress":
        return this.#behindRoute(object);
      default:
        return none;
    }
  }

  #behindService({ given, namespace }: AssemblyObject): Users {
    const { type, selector } = (given.object["spec"] ?? {}) as Readonly<Record<string, unknown>>;
    if (type === "ExternalName") return none;
    return this.#pods.select(namespace, requirementsOfPairs(selector));
  }

  #behindRoute(route: AssemblyObject): Users {
    const services = new Set(this.#targetsOf(route));
    return [
      ...new Set(
        [...services].flatMap((key) => {
          const service = this.#services.get(key);
          return service === undefined ? none : this.#behindService(service);
        }),
      ),
    ];
  }

  /** The keys of what an object names; a name without a namespace is in the object's own. */
  #targetsOf({ given, namespace }: AssemblyObject): readonly string[] {
    return referencesOf(given.object).map(({ target }) =>
      identityKey(target.namespace === "" ? { ...target, namespace } : target),
    );
  }

  #use(key: string, workload: AssemblyObject): void {
    const users = this.#references.get(key);
    if (users === undefined) this.#references.set(key, new Set([workload]));
    // More than two users make no difference.
    else if (users.size < 2) users.add(workload);
  }
}

/**
 * The tests and hooks of a Helm chart usually carry the labels of its workload, but they run and end:
 * no Service is meant for them.
 */
function isHook({ given }: AssemblyObject): boolean {
  return fieldAt(given.object, "metadata", "annotations", "helm.sh/hook") !== undefined;
}

function placeOf({ group, kind, namespace, name }: AssemblyObject): string {
  return identityKey({ group, kind, namespace, name } satisfies ObjectIdentity);
}
