import type { Cluster } from "../cluster/index.ts";
import { stringifyJson } from "../json/index.ts";
import type { KubernetesObject } from "../objects/index.ts";
import { objectWithRecord, type ProvisionedRecord, type ProvisionedStatus } from "../plan/index.ts";
import { secretNameOf, splitSecrets } from "../prepare/index.ts";

const fieldManager = "keelson";

/**
 * Writes a record, the values of its secret fields first, into a Secret that goes with it. What is
 * secret stands in the record only as a reference. A record that is to be new is never written over another.
 */
export async function saveRecord(
  cluster: Cluster,
  object: KubernetesObject,
  { spec, status }: ProvisionedRecord,
  createOnly = false,
): Promise<KubernetesObject> {
  const secret = spec.secret ?? [];
  const inputs = splitSecrets("inputs", spec.inputs, secret);
  // What it was made with stays known while it is changed.
  const made = splitSecrets("made", status?.inputs ?? {}, secret);
  const outputs = splitSecrets("outputs", status?.outputs ?? {}, secret);
  const shown: ProvisionedRecord = {
    spec: { ...spec, inputs: inputs.shown },
    ...(status === undefined ? {} : { status: shownStatus(status, made.shown, outputs.shown) }),
  };
  const hidden = { ...made.hidden, ...inputs.hidden, ...outputs.hidden };
  const { object: saved } = await cluster.apply(objectWithRecord(object, shown), {
    fieldManager,
    force: true,
    createOnly,
  });
  if (Object.keys(hidden).length > 0) await saveSecret(cluster, saved, hidden);
  return saved;
}

function shownStatus(
  status: ProvisionedStatus,
  inputs: ProvisionedStatus["inputs"],
  outputs: ProvisionedStatus["outputs"],
): ProvisionedStatus {
  return {
    ...status,
    ...(status.inputs === undefined ? {} : { inputs }),
    ...(status.outputs === undefined ? {} : { outputs }),
  };
}

/** It belongs to the record, so that it is deleted with it. */
async function saveSecret(
  cluster: Cluster,
  record: KubernetesObject,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { name = "", namespace = "", uid = "" } = record.metadata;
  const data = Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      Buffer.from(stringifyJson(value)).toString("base64"),
    ]),
  );
  const { apiVersion, kind } = record;
  await cluster.apply(
    {
      apiVersion: "v1",
      kind: "Secret",
      metadata: {
        name: secretNameOf(record),
        namespace,
        ownerReferences: [{ apiVersion, kind, name, uid }],
      },
      data,
    },
    { fieldManager, force: true },
  );
}
