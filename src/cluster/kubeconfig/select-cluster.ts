import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fail, nearest } from "../../diagnostics/index.ts";
import { systemTiming } from "../timing.ts";
import type { Timing } from "../timing.ts";
import type { ConnectionSettings } from "../transport/connection-settings.ts";
import { inCluster } from "./in-cluster.ts";
import type { ClusterEntry, ContextEntry, Kubeconfig } from "./kubeconfig.ts";
import { readKubeconfig } from "./read-kubeconfig.ts";
import { connectionSettings } from "./connection-settings.ts";

/** What the command line and the machine say about the cluster to use. */
export interface SelectionInput {
  /** `--kubeconfig` */
  readonly kubeconfig?: string | undefined;
  /** `--context` */
  readonly context?: string | undefined;
  /** `--namespace` */
  readonly namespace?: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  /** Whether a credential plugin may ask the user something. */
  readonly interactive?: boolean | undefined;
  readonly timing?: Timing | undefined;
  /** Where a pod finds its service account. */
  readonly serviceAccountFolder?: string | undefined;
}

/** Where the choice of the cluster came from, to be told to the user. */
export type SelectionOrigin =
  | { readonly kind: "flag" | "environment" | "home"; readonly files: readonly string[] }
  | { readonly kind: "in-cluster" };

/** The cluster to use. */
export interface ClusterSelection {
  readonly context: string;
  readonly server: string;
  readonly namespace: string;
  readonly origin: SelectionOrigin;
  readonly settings: ConnectionSettings;
}

/**
 * Finds the cluster as kubectl does: `--kubeconfig`, KUBECONFIG, the home kubeconfig, the service
 * account of a pod. Undefined when there is none; a file or context that is named must exist.
 */
export async function selectCluster(input: SelectionInput): Promise<ClusterSelection | undefined> {
  const origin = kubeconfigOrigin(input);
  if (origin !== undefined) {
    const config = await readKubeconfig(origin.files);
    const context = input.context ?? config.currentContext;
    if (context !== undefined) return selectContext(input, origin, config, context);
    if (origin.kind !== "home" && config.contexts.size > 0) {
      fail({
        code: "cluster.unknown-context",
        summary: `${origin.files.join(", ")} has no current context`,
        hint: `choose one with --context: ${[...config.contexts.keys()].join(", ")}`,
      });
    }
  } else if (input.context !== undefined) {
    fail({
      code: "cluster.unknown-context",
      summary: `there is no context ${input.context}: no kubeconfig was found`,
      hint: "name one with --kubeconfig",
    });
  }
  return inCluster(input);
}

/** The contexts that `--context` can name. */
export async function contextNames(
  input: Pick<SelectionInput, "env" | "home" | "kubeconfig">,
): Promise<readonly string[]> {
  const origin = kubeconfigOrigin(input);
  if (origin === undefined) return [];
  return [...(await readKubeconfig(origin.files)).contexts.keys()];
}

type KubeconfigOrigin = Exclude<SelectionOrigin, { readonly kind: "in-cluster" }>;

function kubeconfigOrigin({ kubeconfig, env, home }: SelectionInput): KubeconfigOrigin | undefined {
  if (kubeconfig !== undefined) return { kind: "flag", files: [kubeconfig] };
  const listed = (env["KUBECONFIG"] ?? "").split(delimiter).filter((file) => file !== "");
  if (listed.length > 0) return { kind: "environment", files: listed };
  const ofHome = join(home, ".kube", "config");
  return existsSync(ofHome) ? { kind: "home", files: [ofHome] } : undefined;
}

async function selectContext(
  input: SelectionInput,
  origin: KubeconfigOrigin,
  config: Kubeconfig,
  name: string,
): Promise<ClusterSelection> {
  const context = config.contexts.get(name) ?? unknownContext(origin, config, name);
  const cluster = clusterOf(config, context, name);
  const user = context.user === undefined ? undefined : config.users.get(context.user);
  if (context.user !== undefined && user === undefined) {
    fail({
      code: "cluster.kubeconfig-incomplete",
      summary: `the context ${name} of ${context.file} uses the user ${context.user}, which is not there`,
      hint: proposal(context.user, config.users.keys()),
    });
  }
  const settings = await connectionSettings(cluster, user, {
    env: input.env,
    interactive: input.interactive ?? false,
    timing: input.timing ?? systemTiming,
  });
  return {
    context: name,
    server: settings.server,
    namespace: input.namespace ?? context.namespace ?? "default",
    origin,
    settings,
  };
}

function unknownContext(origin: KubeconfigOrigin, config: Kubeconfig, name: string): never {
  const names = [...config.contexts.keys()];
  return fail({
    code: "cluster.unknown-context",
    summary: `there is no context ${name} in ${origin.files.join(", ")}`,
    detail: names.length === 0 ? "there are no contexts at all" : `contexts: ${names.join(", ")}`,
    hint: proposal(name, names),
  });
}

function clusterOf(
  config: Kubeconfig,
  context: ContextEntry,
  name: string,
): ClusterEntry & { server: string } {
  const cluster = context.cluster === undefined ? undefined : config.clusters.get(context.cluster);
  if (cluster === undefined) {
    return fail({
      code: "cluster.kubeconfig-incomplete",
      summary:
        context.cluster === undefined
          ? `the context ${name} of ${context.file} names no cluster`
          : `the context ${name} of ${context.file} uses the cluster ${context.cluster}, which is not there`,
      hint: proposal(context.cluster ?? "", config.clusters.keys()),
    });
  }
  const { server } = cluster;
  if (server === undefined) {
    return fail({
      code: "cluster.kubeconfig-incomplete",
      summary: `the cluster ${context.cluster ?? ""} of ${cluster.file} has no server address`,
    });
  }
  return { ...cluster, server };
}

function proposal(name: string, names: Iterable<string>): string | undefined {
  const near = nearest(name, names);
  return near === undefined ? undefined : `did you mean ${near}?`;
}
