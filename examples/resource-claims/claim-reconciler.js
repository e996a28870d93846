import { outputOfLabel, writeOutput } from "keelson/outputs";
import { claimContents } from "./claim-contents.js";
import { reportTo } from "./claim-status.js";

const apiVersion = "smith.atlassian.com/v1";
const claimKind = { apiVersion, kind: "ResourceClaim" };
const bindingKind = { apiVersion, kind: "ResourceBinding" };
const definition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  name: "resourceclaims.smith.atlassian.com",
};

/** Gives every ResourceClaim its output object and the ResourceBinding that names it. */
export function claimReconciler(key) {
  return {
    name: "resource-claims",

    async start({ informers, queue }) {
      const claims = informers.use(claimKind);
      claims.subscribe(({ object }) => queue.add(keyOf(object)), { replay: true });

      // What belongs to a claim is put right when somebody changes or deletes it.
      const selected = { labelSelector: outputOfLabel };
      const owned = [
        informers.use(bindingKind),
        informers.use({ apiVersion: "v1", kind: "Secret" }, selected),
        informers.use({ apiVersion: "v1", kind: "ConfigMap" }, selected),
      ];
      for (const informer of owned) {
        informer.subscribe(({ object }) => {
          for (const { kind, name } of object.metadata.ownerReferences ?? [])
            if (kind === claimKind.kind) queue.add(`${object.metadata.namespace}/${name}`);
        });
      }
      await Promise.all([claims, ...owned].map((informer) => informer.synced));
    },

    async reconcile(claimKey, { cluster, events, log, signal }) {
      const [namespace, name] = claimKey.split("/");
      const claim = await cluster.find({ ...claimKind, namespace, name });
      if (claim === undefined) return { kind: "done" };
      const result = await writeOutput({
        cluster,
        claim,
        definition: await cluster.get(definition),
        contents: claimContents(claim, key),
        binding: { name: `binding-for-${name}` },
        manager: "resource-claims",
        signal,
      });
      if (result.kind === "refused") {
        const [{ summary, hint }] = result.diagnostics;
        events.record(claim, { type: "Warning", reason: "Refused", message: summary });
        log.warn({ claim: claimKey }, summary);
        await reportTo(cluster, claim, `${summary}. ${hint}`);
      } else if (result.kind === "written") {
        log.info({ claim: claimKey, output: result.output.metadata.name }, "bound");
        await reportTo(cluster, claim, undefined);
      }
      return { kind: "done" };
    },
  };
}

function keyOf({ metadata }) {
  return `${metadata.namespace}/${metadata.name}`;
}
