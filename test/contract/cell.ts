import { randomBytes } from "node:crypto";
import type { Cluster, ObjectReference } from "../../src/cluster/index.ts";
import type { JsonValue } from "../../src/json/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { patienceMs } from "../patience.ts";
import { Line } from "./line.ts";
import type { Part } from "./parts.ts";
import type { ContractServer } from "./server.ts";
import type { Way, WayIn } from "./way-in.ts";

/** What a way in gets to work with. */
export interface CellSettings {
  readonly namespace: string;
  readonly line: Line;
  /** As the administrator, past the line. */
  readonly cluster: Cluster;
  /** How long to wait for what must come. */
  readonly patienceMs: number;
}

export type OpenWay = (settings: CellSettings) => Promise<WayIn> | WayIn;

/** Whoever has something to do asks the server more often. */
const idleMs = 400;

/** One cell of the table: a namespace of its own on a server, one way in, and what a test does beside it. */
export class Cell {
  readonly way: WayIn;
  readonly wayName: Way;
  readonly namespace: string;
  readonly cluster: Cluster;
  readonly patienceMs: number;

  static async open(
    server: ContractServer,
    wayName: Way,
    open: { readonly way: OpenWay; readonly hides: readonly string[] },
    patience = patienceMs,
  ): Promise<Cell> {
    const { cluster } = server;
    const namespace = `contract-${randomBytes(5).toString("hex")}`;
    const metadata = { name: namespace };
    await cluster.create({ apiVersion: "v1", kind: "Namespace", metadata });
    const line = await Line.open(server.settings, open.hides);
    const way = await open.way({ namespace, line, cluster, patienceMs: patience });
    return new Cell(way, wayName, namespace, cluster, patience);
  }

  private constructor(
    way: WayIn,
    wayName: Way,
    namespace: string,
    cluster: Cluster,
    patience: number,
  ) {
    this.way = way;
    this.wayName = wayName;
    this.namespace = namespace;
    this.cluster = cluster;
    this.patienceMs = patience;
  }

  reference({ object: { apiVersion, kind, metadata } }: Part): ObjectReference {
    const { name = "", namespace = this.namespace } = metadata;
    return { apiVersion, kind, name, ...(kind === "Namespace" ? {} : { namespace }) };
  }

  find(part: Part): Promise<KubernetesObject | undefined> {
    return this.cluster.find(this.reference(part));
  }

  /** The object of a part, which must be there. */
  get(part: Part): Promise<KubernetesObject> {
    return this.cluster.get(this.reference(part));
  }

  /** The data of a ConfigMap; undefined when it is not there. */
  async data(part: Part): Promise<unknown> {
    return (await this.find(part))?.["data"];
  }

  async version(part: Part): Promise<string | undefined> {
    return (await this.find(part))?.metadata.resourceVersion;
  }

  /** Somebody else makes an object of this name. */
  async makeForeign(
    part: Part,
    metadata: Partial<KubernetesObject["metadata"]> = {},
  ): Promise<KubernetesObject> {
    const { object } = part;
    const made = await this.cluster.create(
      { ...object, metadata: { ...object.metadata, ...metadata, namespace: this.namespace } },
      { fieldManager: "somebody" },
    );
    return made;
  }

  /** Somebody else changes an object. */
  patch(part: Part, patch: JsonValue, fieldManager = "somebody"): Promise<KubernetesObject> {
    return this.cluster.patch(this.reference(part), "merge", patch, { fieldManager });
  }

  delete(part: Part): Promise<unknown> {
    return this.cluster.delete(this.reference(part));
  }

  /** What looks after an object says that it is there, as soon as the object is. */
  async bringUp(part: Part, status: Readonly<Record<string, string>> = {}): Promise<void> {
    await this.until(async () => (await this.find(part)) !== undefined, `${part.name} is there`);
    await this.patch(part, { status: { phase: "Up", ...status } });
  }

  /** Waits until something holds, and says what never did. */
  async until(holds: () => Promise<boolean> | boolean, what: string): Promise<void> {
    await until(holds, what, this.patienceMs);
  }

  /** Waits until the way asks nothing of the server any more: what it has not done by then, it will not do. */
  async settled(): Promise<void> {
    await this.until(() => this.way.line.idleMs() > idleMs, "the run has nothing to do");
  }

  async close(): Promise<void> {
    await this.way.close();
    await this.way.line.close();
    const name = this.namespace;
    await this.cluster.delete({ apiVersion: "v1", kind: "Namespace", name });
  }
}

/** From eager to patient: most of what is waited for comes at once. */
const pausesMs = { first: 10, most: 200, growth: 1.3 } as const;

export async function until(
  holds: () => Promise<boolean> | boolean,
  what: string,
  withinMs: number,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (let pauseMs: number = pausesMs.first; !(await holds()); pauseMs *= pausesMs.growth) {
    if (Date.now() >= deadline) throw new Error(`it never came to be that ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, Math.min(pauseMs, pausesMs.most));
    });
  }
}
