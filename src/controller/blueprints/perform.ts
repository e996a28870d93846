import {
  accountAnnotation,
  type Action,
  type HealthContext,
  type Rendered,
  type ServiceAccount,
  type World,
} from "../../blueprints/index.ts";
import { isApiError, isNotFound, type ResourceIndex } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { JsonObject, KubernetesObject } from "../../objects/index.ts";
import type { AccountClusters } from "./account-clusters.ts";
import type { Renderings } from "./renderings.ts";
import type { RenderYtt } from "./run-ytt.ts";
import type { StampedObjects } from "./stamped-objects.ts";

/**
 * Each owner writes under a name of its own: what one has stamped another one cannot take over without
 * being told of the conflict.
 */
function fieldManagerOf(ownerUid: string): string {
  return `keelson-blueprints-${ownerUid}`;
}

export interface PerformOptions {
  readonly stamped: StampedObjects;
  readonly accounts: AccountClusters;
  readonly renderYtt: RenderYtt;
  /** What ytt gave before, for the same template and the same values. */
  readonly renderings: Renderings;
  readonly resources: () => Promise<ResourceIndex>;
  readonly signal: AbortSignal;
  readonly now: () => string;
  /** What definitions say of when their instances are ready, and what belongs to these. */
  readonly readiness: Pick<HealthContext, "childrenOf" | "rulesOf">;
}

/** What is asked again and again until nothing is left to do. */
export interface Asked {
  readonly actions: readonly Action[];
  readonly status: JsonObject;
  readonly account: ServiceAccount | undefined;
}

export interface Performed {
  readonly status: JsonObject;
  /** What the server said no to: worth another try when something has changed, or after a while. */
  readonly refusals: readonly string[];
}

/** Every round brings a step further; a chain has at most thirty. */
const mostRounds = 200;

/** Looks, acts, and looks again with what came of it, until nothing is left to do. */
export async function perform(
  ownerUid: string,
  ask: (world: World, accountProblem: AccountProblem | undefined) => Asked,
  options: PerformOptions,
): Promise<Performed> {
  const { stamped, signal } = options;
  const refusals = new Map<string, string>();
  const notDeleted = new Map<string, string>();
  const rendered = new Map<string, Rendered>();
  const render = async ({
    key,
    text,
    context,
  }: Extract<Action, { kind: "render" }>): Promise<void> => {
    const known = options.renderings.get(key) ?? (await options.renderYtt(text, context));
    rendered.set(key, known);
    options.renderings.keep(key, known);
  };
  const gone = new Set<string>();
  const index = await options.resources();
  const now = options.now();
  let accountProblem: AccountProblem | undefined;
  for (let round = 0; round < mostRounds; round++) {
    signal.throwIfAborted();
    const world: World = {
      ...options.readiness,
      live: stamped.of(ownerUid).filter(({ metadata }) => !gone.has(metadata.uid ?? "")),
      accepted: stamped.accepted,
      refusals,
      rendered,
      scopeOf: (apiVersion, kind) => scopeOf(index, apiVersion, kind),
      resourceOf: (apiVersion, kind) => resourceOf(index, apiVersion, kind),
      now,
    };
    const { actions, status, account } = ask(world, accountProblem);
    const open = actions.filter((action) => !notDeleted.has(keyOf(action)));
    if (open.length === 0 || accountProblem !== undefined)
      return { status, refusals: [...refusals.values(), ...notDeleted.values()] };
    await Promise.all(
      open.map(async (action) => {
        switch (action.kind) {
          case "render":
            await render(action);
            return;
          case "delete": {
            const refusal = await remove(action.object, account, options);
            if (refusal === undefined) gone.add(action.object.metadata.uid ?? "");
            else notDeleted.set(keyOf(action), refusal);
            return;
          }
          case "apply": {
            const outcome = await write(action, account, fieldManagerOf(ownerUid), options);
            if (outcome?.kind === "account") accountProblem ??= outcome.problem;
            else if (outcome !== undefined) refusals.set(action.step, outcome.message);
          }
        }
      }),
    );
  }
  throw new Error(`there was no end to what is to be done for ${ownerUid}`);
}

export interface AccountProblem {
  readonly reason: "ServiceAccountError" | "ServiceAccountTokenError";
  readonly message: string;
}

type Refused =
  | { readonly kind: "account"; readonly problem: AccountProblem }
  | { readonly kind: "refused"; readonly message: string };

/** Writes an object as the service account; what the server says no to is an answer, not a failure. */
async function write(
  { object, force }: Extract<Action, { kind: "apply" }>,
  account: ServiceAccount | undefined,
  fieldManager: string,
  { accounts, stamped, signal }: PerformOptions,
): Promise<Refused | undefined> {
  if (account === undefined) return undefined;
  try {
    // Watched before it is written: what its controller makes of it must not be missed.
    await stamped.watch(object);
    const { object: answer } = await accounts.as(account, (cluster) =>
      cluster.apply(object, { fieldManager, force, signal }),
    );
    stamped.remember(object, answer);
    return undefined;
  } catch (error) {
    const problem = accountProblemOf(error, account);
    if (problem !== undefined) return { kind: "account", problem };
    return { kind: "refused", message: refusalOf(error) };
  }
}

/** Deletes as whoever wrote it: the account may have changed since, or the blueprint that named it. */
async function remove(
  object: KubernetesObject,
  account: ServiceAccount | undefined,
  { accounts, signal }: PerformOptions,
): Promise<string | undefined> {
  const { apiVersion, kind, metadata } = object;
  const { namespace = "", name = "", uid } = metadata;
  const writer = writerOf(object) ?? account ?? { namespace, name: "default" };
  try {
    await accounts.as(writer, (cluster) =>
      cluster.delete(
        { apiVersion, kind, namespace, name },
        { uid, propagationPolicy: "Background", signal },
      ),
    );
    return undefined;
  } catch (error) {
    const problem = accountProblemOf(error, writer);
    if (problem !== undefined) return problem.message;
    // Gone, or another object of its name: not ours to delete.
    if (isNotFound(error) || isApiError(error, "Conflict")) return undefined;
    return refusalOf(error);
  }
}

function writerOf({ metadata }: KubernetesObject): ServiceAccount | undefined {
  const [namespace, name] = metadata.annotations?.[accountAnnotation]?.split("/") ?? [];
  return namespace === undefined || name === undefined ? undefined : { namespace, name };
}

/** Whether it was the token that could not be had. */
function accountProblemOf(
  error: unknown,
  { namespace, name }: ServiceAccount,
): AccountProblem | undefined {
  if (!isApiError(error) || error.purpose.resource !== "serviceaccounts/token") return undefined;
  const what = `service account [${namespace}/${name}]`;
  return error.reason === "NotFound"
    ? { reason: "ServiceAccountError", message: `failed to get ${what}: it does not exist` }
    : {
        reason: "ServiceAccountTokenError",
        message: `failed to get token for ${what}: ${error.message}`,
      };
}

/** What the server said, as one text; what it did not say no to is thrown and tried again. */
function refusalOf(error: unknown): string {
  const isAnswer =
    isApiError(
      error,
      "Forbidden",
      "Invalid",
      "Conflict",
      "NotFound",
      "BadRequest",
      "MethodNotAllowed",
      "UnsupportedMediaType",
    ) ||
    (error instanceof DiagnosticError && error.diagnostics[0]?.code === "cluster.unknown-kind");
  if (!isAnswer) throw error;
  const [diagnostic] = error.diagnostics;
  return [diagnostic?.summary ?? error.message, diagnostic?.detail]
    .filter((each) => each !== undefined && each !== "")
    .join(": ");
}

function keyOf(action: Action): string {
  return action.kind === "delete" ? (action.object.metadata.uid ?? "") : "";
}

function scopeOf(index: ResourceIndex, apiVersion: string, kind: string) {
  const resource = index.find({ apiVersion, kind });
  if (resource === undefined) return undefined;
  return resource.namespaced ? "namespaced" : "cluster";
}

function resourceOf(index: ResourceIndex, apiVersion: string, kind: string): string | undefined {
  const resource = index.find({ apiVersion, kind });
  if (resource === undefined) return undefined;
  return resource.group === "" ? resource.plural : `${resource.plural}.${resource.group}`;
}
