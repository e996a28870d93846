/** A cluster on paper, for tests: it takes every write, and changes nothing by itself. */
import { isJsonObject, type JsonObject, objectsIn } from "../../src/json/index.ts";
import {
  formatIdentity,
  identityKey,
  identityOf,
  type KubernetesObject,
  readObjectsFromText,
} from "../../src/objects/index.ts";
import type { DependencyState } from "../../src/plan/index.ts";
import { familyOfOwner } from "../../src/blueprints/groups.ts";
import { textAt } from "../../src/blueprints/model/read-fields.ts";
import type { Action, Rendered, World } from "../../src/blueprints/realize/realization.ts";
import { type Accepted, acceptedBy } from "../../src/blueprints/stamping/is-settled.ts";
import { realizeOwner } from "../../src/blueprints/realize/realize-owner.ts";

export function objectsOf(yaml: string): readonly KubernetesObject[] {
  const { objects, diagnostics } = readObjectsFromText("test.yaml", yaml);
  if (diagnostics.length > 0) throw new Error(diagnostics.map(({ summary }) => summary).join("\n"));
  return objects.map(({ object }) => object);
}

const mostRounds = 50;
const absent: DependencyState = { kind: "waiting", why: "which does not exist" };

export class PaperCluster {
  readonly objects = new Map<string, KubernetesObject>();
  readonly live = new Map<string, KubernetesObject>();
  readonly accepted = new Map<string, Accepted>();
  /** What a server, or who changes what is written to it, makes of an object. */
  admit: (object: KubernetesObject) => KubernetesObject = (object) => object;
  readonly rendered = new Map<string, Rendered>();
  /** Everything that was done, in order: `apply source ConfigMap web`. */
  readonly done: string[] = [];
  /** How objects of others are, by their names as messages show them. */
  readonly outside = new Map<string, DependencyState>();
  now = "2026-06-01T00:00:00Z";
  refuse: (object: KubernetesObject) => string | undefined = () => undefined;
  #made = 0;

  constructor(yaml: string) {
    this.add(yaml);
  }

  add(yaml: string): this {
    for (const object of objectsOf(yaml)) {
      const isOwner = familyOfOwner(object.kind) !== undefined;
      const complete: KubernetesObject = {
        ...object,
        metadata: {
          uid: `uid-${object.metadata.name ?? ""}`,
          generation: 1,
          ...(isOwner ? { namespace: "apps" } : {}),
          ...object.metadata,
        },
      };
      const key = identityKey(identityOf(complete));
      const status = this.objects.get(key)?.["status"];
      this.objects.set(key, status === undefined ? complete : { ...complete, status });
    }
    return this;
  }

  remove(kind: string, name: string): this {
    for (const [key, object] of this.objects)
      if (object.kind === kind && object.metadata.name === name) this.objects.delete(key);
    return this;
  }

  /** What controllers say of every stamped object, now and later. */
  statuses: JsonObject | undefined;

  owner(): KubernetesObject {
    const found = [...this.objects.values()].find(({ kind }) => familyOfOwner(kind) !== undefined);
    if (found === undefined) throw new Error("the test has no owner");
    return found;
  }

  /** Does what is to be done until nothing is left, and keeps the status. */
  run(): JsonObject {
    const refusals = new Map<string, string>();
    for (let round = 0; round < mostRounds; round++) {
      const { actions, status } = this.look(refusals);
      if (actions.length === 0) {
        const owner = this.owner();
        this.objects.set(identityKey(identityOf(owner)), { ...owner, status });
        return status;
      }
      for (const action of actions) this.#act(action, refusals);
    }
    throw new Error(`there is no end to it: ${this.done.slice(-5).join(", ")}`);
  }

  look(refusals: World["refusals"] = new Map()): ReturnType<typeof realizeOwner> {
    const owner = this.owner();
    const family = familyOfOwner(owner.kind);
    if (family === undefined) throw new Error(`${owner.kind} is no owner`);
    return realizeOwner({
      owner,
      family,
      blueprints: [...this.objects.values()].filter(({ kind }) => kind === family.blueprintKind),
      templateOf: (kind, name) =>
        [...this.objects.values()].find(
          (object) => object.kind === kind && object.metadata.name === name,
        ),
      world: {
        live: [...this.live.values()].map((object) =>
          this.statuses === undefined ? object : { ...object, status: this.statuses },
        ),
        accepted: this.accepted,
        refusals,
        rendered: this.rendered,
        outside: (identity) => this.outside.get(formatIdentity(identity)) ?? absent,
        scopeOf: (_apiVersion, kind) => (kind === "Namespace" ? "cluster" : "namespaced"),
        resourceOf: (_apiVersion, kind) => `${kind.toLowerCase()}s`,
        now: this.now,
      },
    });
  }

  #act(action: Action, refusals: Map<string, string>): void {
    if (action.kind === "render") {
      this.done.push(`render ${action.step}`);
      this.rendered.set(action.key, { kind: "problem", message: "ytt is not here" });
      return;
    }
    const { object } = action;
    const key = identityKey(identityOf(object));
    const { name = "" } = object.metadata;
    if (action.kind === "delete") {
      this.done.push(`delete ${action.step} ${object.kind} ${name}: ${action.reason}`);
      this.live.delete(key);
      return;
    }
    if (action.kind === "release") {
      this.done.push(`release ${action.step} ${object.kind} ${name}: ${action.message}`);
      this.live.delete(key);
      return;
    }
    const refusal = this.refuse(object);
    if (refusal !== undefined) {
      refusals.set(action.step, refusal);
      return;
    }
    this.done.push(`apply ${action.step} ${object.kind} ${name}`);
    const before = this.live.get(key);
    const answer: KubernetesObject = {
      ...this.admit(object),
      metadata: {
        ...this.admit(object).metadata,
        uid: before?.metadata.uid ?? `live-${this.#made++}`,
        generation: (before?.metadata.generation ?? 0) + 1,
        creationTimestamp: before?.metadata.creationTimestamp ?? this.now,
      },
    };
    this.live.set(key, answer);
    this.accepted.set(answer.metadata.uid ?? "", acceptedBy(object, answer));
  }
}

/** The conditions of a status as lines: `Ready Unknown MissingValueAtPath: …`. */
export function conditionLines(holder: unknown): readonly string[] {
  const conditions = isJsonObject(holder) ? holder["conditions"] : undefined;
  return objectsIn(conditions).map((condition) => {
    const text = (field: string): string => textAt(condition, field) ?? "";
    const words = [text("type"), text("status"), text("reason")].join(" ");
    return text("message") === "" ? words : `${words}: ${text("message")}`;
  });
}
