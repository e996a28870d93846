/**
 * Says in the status of a claim why nothing comes of it: with Stalled it counts as failed, and whoever
 * waits for it learns the reason. A claim that was always fine needs no word: its binding is there.
 */
export async function reportTo(cluster, claim, problem) {
  const { apiVersion, kind, metadata, status } = claim;
  if (problem === undefined && status === undefined) return;
  const { observedGeneration, conditions = [] } = status ?? {};
  const told = conditions.find(({ type }) => type === "Stalled")?.message;
  // What was said of an earlier generation does not count for this one.
  if (told === problem && observedGeneration === metadata.generation) return;
  const stalled = { type: "Stalled", status: "True", reason: "Refused", message: problem };
  await cluster.patch(
    { apiVersion, kind, namespace: metadata.namespace, name: metadata.name },
    "merge",
    {
      metadata: { resourceVersion: metadata.resourceVersion },
      status: {
        observedGeneration: metadata.generation,
        conditions: problem === undefined ? [] : [stalled],
      },
    },
    { subresource: "status" },
  );
}
