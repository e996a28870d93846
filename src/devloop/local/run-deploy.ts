import { identityOf, type ObjectIdentity, readObjectsFromText } from "../../objects/index.ts";
import type { CustomDeploy } from "../../sources/tiltfile/index.ts";
import { startLocalProcess } from "./local-process.ts";

export interface RunDeployOptions {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What images are called, by the reference of their build. */
  readonly images: ReadonlyMap<string, string>;
  readonly namespace: string;
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
  return {
    kind: "deployed",
    objects: objects.map(({ object }) => {
      const identity = identityOf(object);
      return identity.namespace === "" && !clusterKinds.has(identity.kind)
        ? { ...identity, namespace: options.namespace }
        : identity;
    }),
  };
}

/** What a deploy command may print without a namespace because it has none. */
const clusterKinds: ReadonlySet<string> = new Set([
  "ClusterRole",
  "ClusterRoleBinding",
  "CustomResourceDefinition",
  "Namespace",
  "PersistentVolume",
  "StorageClass",
]);
