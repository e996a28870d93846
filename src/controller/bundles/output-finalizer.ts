import {
  type Bundle,
  bundleManager,
  type OutputObject,
  outputFinalizer,
} from "../../bundles/index.ts";
import { type Cluster, isApiError, isNotFound, referenceTo } from "../../cluster/index.ts";
import type { DiagnosticError } from "../../diagnostics/index.ts";
import type { JsonObject } from "../../json/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import { AccountError } from "../account-error.ts";
import { isTerminating } from "../is-terminating.ts";
import type { BundlePass, BundleServices } from "./bundle-pass.ts";

/** Keeps an output object that objects of a bundle use, or lets it go. */
export async function setOutputFinalizer(
  isHeld: boolean,
  { kind, name }: OutputObject,
  bundle: Bundle,
  pass: Pick<BundlePass, "as">,
  { cluster: controller, contents }: Pick<BundleServices, "cluster" | "contents">,
  onRetry: (cause: DiagnosticError) => void,
): Promise<void> {
  const known = await contents();
  const found = known.get(kind, bundle.namespace, name);
  if (found === undefined) return;
  const own = outputFinalizer(bundle);
  const others = (found.metadata.finalizers ?? []).filter((each) => each !== own);
  const patch: JsonObject = {
    metadata: {
      // Another bundle may hold it too: its finalizer must not get lost.
      resourceVersion: found.metadata.resourceVersion ?? "",
      finalizers: isHeld ? [...others, own] : others,
    },
  };
  const write = (cluster: Cluster): Promise<KubernetesObject> =>
    cluster.patch(referenceTo(found), "merge", patch, { fieldManager: bundleManager, onRetry });
  try {
    known.of(kind).remember(await pass.as(write));
  } catch (error) {
    if (isNotFound(error)) return;
    const isPowerless = error instanceof AccountError || isApiError(error, "Forbidden");
    if (isHeld || !isPowerless || !(await isTerminating(controller, bundle.namespace))) throw error;
    // The account went with its namespace, which our finalizer would keep for ever.
    known.of(kind).remember(await write(controller));
  }
}
