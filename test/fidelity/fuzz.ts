import type { JsonObject } from "../../src/json/index.ts";
import type { Target } from "../conformance/target.ts";
import { Chance } from "../faults/simulation/chance.ts";
import { builtinSubjects } from "./builtin-subjects.ts";
import { type Outcome, compareAnswers } from "./compare-answers.ts";
import { customSubjects } from "./custom-subjects.ts";
import { type Mutation, mutated, mutationsOf } from "./mutations.ts";
import { OpenApi } from "./open-api.ts";
import { type Reply, type Servers, noAnswer, sendObject } from "./servers.ts";
import { type Subject, collectionPath, namespace } from "./subject.ts";

export interface FuzzOptions {
  readonly seed: number;
  /** How many mutations to try, where there are as many. */
  readonly mutations: number;
  /** Only kinds of this name, such as `Deployment`. */
  readonly kind?: string;
  readonly report?: (line: string) => void;
}

/** What both servers said to one changed object. */
export interface Judged {
  readonly kind: string;
  readonly name: string;
  readonly verb: "create" | "update";
  readonly mutation: Mutation;
  readonly outcome: Outcome;
  readonly real: Reply;
  readonly sandbox: Reply;
}

interface Trial {
  readonly subject: Subject;
  readonly verb: "create" | "update";
  readonly mutation: Mutation;
}

const customKinds = 12;
const inFlight = 8;
const suffix = "dryRun=All&fieldValidation=Strict";

/**
 * Sends valid objects with one change each to a real API server and to the sandbox, as dry runs. Creates come first,
 * while nothing is there; then the objects are created, and what changes is sent as updates of them.
 */
export async function fuzz(
  servers: Servers,
  options: FuzzOptions,
  judge: (judged: Judged) => void,
): Promise<void> {
  const { seed, report = () => {} } = options;
  const chance = new Chance(seed);
  await makeNamespaces(servers);
  const openApi = new OpenApi(servers.real);
  const all = [
    ...(await builtinSubjects(openApi)),
    ...(await customSubjects(servers, openApi, seed, customKinds)),
  ];
  const subjects = all.filter(({ kind }) => isChosen(kind, options.kind));
  await requireValid(servers, subjects);
  report(`${subjects.length} objects of ${new Set(subjects.map(({ kind }) => kind)).size} kinds`);
  const trials = chooseTrials(subjects, options.mutations, chance);
  const [creates, updates] = [
    trials.filter(({ verb }) => verb === "create"),
    trials.filter(({ verb }) => verb === "update"),
  ];
  await inParallel(creates, async (trial) => {
    const { collection, object } = trial.subject;
    const changed = mutated(object, trial.mutation);
    if (changed === undefined) return;
    const path = `${collection}?${suffix}`;
    const [real, sandbox] = await Promise.all([
      sendObject(servers.real, "POST", path, changed),
      sendObject(servers.sandbox, "POST", path, changed),
    ]);
    if (real.status !== noAnswer) judge(judgedOf(trial, real, sandbox));
  });
  report(`${creates.length} creates are judged`);
  const live = await createAll(servers, subjects);
  await inParallel(updates, async (trial) => {
    const found = live.get(trial.subject);
    if (found === undefined) return;
    const [real, sandbox] = await Promise.all([
      sendUpdate(servers.real, trial, found.real),
      sendUpdate(servers.sandbox, trial, found.sandbox),
    ]);
    if (real === undefined || sandbox === undefined) return;
    if (real.status !== noAnswer) judge(judgedOf(trial, real, sandbox));
  });
  report(`${updates.length} updates are judged`);
}

function isChosen(kind: string, chosen: string | undefined): boolean {
  return chosen === undefined || kind.split(".")[0] === chosen || kind === chosen;
}

function judgedOf({ subject, verb, mutation }: Trial, real: Reply, sandbox: Reply): Judged {
  const { kind, name } = subject;
  const outcome = compareAnswers(real, sandbox);
  return { kind, name, verb, mutation, outcome, real, sandbox };
}

async function makeNamespaces({ real, sandbox }: Servers): Promise<void> {
  for (const target of [real, sandbox]) {
    for (const name of [namespace, `${namespace}-limits`]) {
      const metadata: JsonObject = { name };
      await sendObject(target, "POST", "/api/v1/namespaces", { metadata });
      const path = collectionPath("v1", "serviceaccounts", name);
      await sendObject(target, "POST", path, { metadata: { name: "default" } });
    }
  }
}

/** What is mutated must be valid: else a change could make it valid, or be hidden by another fault. */
async function requireValid(servers: Servers, subjects: readonly Subject[]): Promise<void> {
  const refusals: string[] = [];
  for (const { kind, name, collection, object } of subjects) {
    for (const side of ["real", "sandbox"] as const) {
      const reply = await sendObject(servers[side], "POST", `${collection}?${suffix}`, object);
      if (reply.status < 300) continue;
      refusals.push(`${kind} ${name} is refused by ${side}: ${message(reply.body)}`);
    }
  }
  if (refusals.length > 0) throw new Error(refusals.join("\n"));
}

function message(body: JsonObject): string {
  return typeof body["message"] === "string" ? body["message"] : JSON.stringify(body);
}

/** An object as a server holds it; servers change some by themselves after a while. */
interface Live {
  object: JsonObject;
}

const conflict = 409;

/** Sends an update; where the object has changed meanwhile, once more with what it is now. */
async function sendUpdate(
  target: Target,
  { subject, mutation }: Trial,
  live: Live,
): Promise<Reply | undefined> {
  const own = `${subject.collection}/${subject.name.split("/").at(-1) ?? ""}`;
  for (let attempt = 0; ; attempt++) {
    const changed = mutated(live.object, mutation);
    if (changed === undefined) return undefined;
    const reply = await sendObject(target, "PUT", `${own}?${suffix}`, changed);
    if (reply.status !== conflict || attempt > 0) return reply;
    const now = await sendObject(target, "GET", own);
    if (now.status !== 200) return reply;
    live.object = withoutManagers(now.body);
  }
}

function withoutManagers(object: JsonObject): JsonObject {
  const { managedFields: _managedFields, ...metadata } = object["metadata"] as JsonObject;
  return { ...object, metadata };
}

/** Creates the objects for good, as each server holds them. */
async function createAll(
  { real, sandbox }: Servers,
  subjects: readonly Subject[],
): Promise<ReadonlyMap<Subject, { readonly real: Live; readonly sandbox: Live }>> {
  const live = new Map<Subject, { readonly real: Live; readonly sandbox: Live }>();
  for (const subject of subjects) {
    if (!subject.isStored) continue;
    const make = async (target: Target): Promise<Live | undefined> => {
      const { status, body } = await sendObject(target, "POST", subject.collection, subject.object);
      if (status === noAnswer) return undefined;
      if (status >= 300) throw new Error(`${subject.kind} ${subject.name}: ${message(body)}`);
      return { object: withoutManagers(body) };
    };
    const [ofReal, ofSandbox] = [await make(real), await make(sandbox)];
    if (ofReal !== undefined && ofSandbox !== undefined)
      live.set(subject, { real: ofReal, sandbox: ofSandbox });
  }
  return live;
}

/** Small kinds are tried as a whole; what is left of the number is shared by the large ones. */
function chooseTrials(
  subjects: readonly Subject[],
  wanted: number,
  chance: Chance,
): readonly Trial[] {
  const groups = subjects
    .flatMap((subject) => {
      const mutations = mutationsOf(subject.schema, subject.object, chance);
      const of = (verb: Trial["verb"]): Trial[] =>
        mutations.map((mutation) => ({ subject, verb, mutation }));
      return subject.isStored ? [of("create"), of("update")] : [of("create")];
    })
    .sort((left, right) => left.length - right.length);
  const chosen: Trial[] = [];
  for (const [index, group] of groups.entries()) {
    const share = Math.ceil((wanted - chosen.length) / (groups.length - index));
    chosen.push(...shuffled(group, chance).slice(0, share));
  }
  return shuffled(chosen, chance);
}

function shuffled<Item>(items: readonly Item[], chance: Chance): readonly Item[] {
  const keyed = items.map((item) => ({ item, key: chance.next() }));
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
}

async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  const run = async (): Promise<void> => {
    for (let item = items[next++]; item !== undefined; item = items[next++]) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, run));
}
