import type { Cluster } from "../../cluster/index.ts";
import {
  groupOf,
  identityOf,
  type KubernetesObject,
  type ObjectIdentity,
  readObjectsFromText,
} from "../../objects/index.ts";
import { resourcesServing } from "../../observe/index.ts";
import type { CustomDeploy } from "../../sources/tiltfile/index.ts";
import { startLocalProcess } from "./local-process.ts";

export interface RunDeployOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What images are called, by the reference of their build. */
  readonly images: ReadonlyMap<string, string>;
  readonly cluster: Cluster;
  readonly onLine: (line: string) => void;
  readonly signal: AbortSignal;
}

export type DeployOutcome =
  | { readonly kind: "deployed"; readonly objects: readonly ObjectIdentity[] }
  | { readonly kind: "failed"; readonly message: string };

/** Runs the command of a custom deploy, and reads from what it prints which objects there are now. */
export async function runDeploy(
  { apply, imageDependencies, name }: CustomDeploy,
  options: RunDeployOptions,
): Promise<DeployOutcome> {
  const images = Object.fromEntries(
    imageDependencies.flatMap((reference, index) => [
      [`TILT_IMAGE_${index}`, options.images.get(reference) ?? reference],
      [`TILT_IMAGE_MAP_${index}`, reference],
    ]),
  );
  const printed: string[] = [];
  let lastLine = "";
  const running = startLocalProcess(
    apply,
    { ...options.environment, ...images },
    (line, output) => {
      if (output === "stdout") {
        printed.push(line);
        return;
      }
      lastLine = line;
      options.onLine(line);
    },
  );
  const stop = (): void => void running.stop();
  options.signal.addEventListener("abort", stop, { once: true });
  const { code, message } = await running.ended;
  options.signal.removeEventListener("abort", stop);
  if (code !== 0)
    return { kind: "failed", message: `${message}${lastLine === "" ? "" : `: ${lastLine}`}` };
  const { objects, diagnostics } = readObjectsFromText(`what ${name} printed`, printed.join("\n"));
  const problem = diagnostics.find(({ severity }) => severity === "error");
  if (problem !== undefined)
    return { kind: "failed", message: `its command must print YAML: ${problem.summary}` };
  const printedObjects = objects.map(({ object }) => object);
  return { kind: "deployed", objects: await identitiesIn(options.cluster, printedObjects) };
}

/** Where objects are that say no namespace: in that of the cluster, unless their kind has none. */
async function identitiesIn(
  cluster: Cluster,
  objects: readonly KubernetesObject[],
): Promise<readonly ObjectIdentity[]> {
  const kinds = objects.map(({ apiVersion, kind }) => ({
    apiVersion,
    kind,
    group: groupOf(apiVersion),
  }));
  const resources = await resourcesServing(cluster, kinds);
  return objects.map((object) => {
    const identity = identityOf(object);
    const isNamespaced = resources.preferred(identity.group, identity.kind)?.namespaced ?? true;
    return identity.namespace === "" && isNamespaced
      ? { ...identity, namespace: cluster.namespace }
      : identity;
  });
}
