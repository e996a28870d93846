/** The client under test, on the control plane of the run. */
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, inject } from "vitest";
import {
  type Cluster,
  type ConnectionOptions,
  type ConnectionSettings,
  connectTo,
} from "../../src/cluster/index.ts";
import type { KubernetesObject } from "../../src/objects/index.ts";
import { settingsOf } from "./test-settings.ts";

export interface TestCluster {
  readonly cluster: Cluster;
  readonly settings: ConnectionSettings;
  readonly namespace: string;
}

/** A client with a namespace of its own for the tests of a file; both are gone afterwards. */
export function useTestCluster(options: ConnectionOptions = {}): TestCluster {
  const namespace = `test-${randomBytes(5).toString("hex")}`;
  let opened: { readonly cluster: Cluster; readonly settings: ConnectionSettings } | undefined;
  const reference = { apiVersion: "v1", kind: "Namespace", name: namespace } as const;

  beforeAll(async () => {
    const settings = await settingsOf(inject("kubeconfig"));
    opened = { settings, cluster: connectTo(settings, { namespace, ...options }) };
    const { apiVersion, kind, name } = reference;
    await opened.cluster.create({ apiVersion, kind, metadata: { name } });
  });
  afterAll(async () => {
    await opened?.cluster.delete(reference);
    await opened?.cluster.close();
  });
  const current = (): NonNullable<typeof opened> => {
    if (opened === undefined) throw new Error("the cluster is only there inside of tests");
    return opened;
  };
  return {
    namespace,
    get cluster() {
      return current().cluster;
    },
    get settings() {
      return current().settings;
    },
  };
}

export const configMapKind = { apiVersion: "v1", kind: "ConfigMap" } as const;

export function configMap(name: string, data: Readonly<Record<string, string>>): KubernetesObject {
  return { ...configMapKind, metadata: { name }, data };
}

/** The code and the text of the failure of a promise, for short expectations. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
  const { DiagnosticError, renderDiagnostics } = await import("../../src/diagnostics/index.ts");
  try {
    await work;
  } catch (error) {
    if (error instanceof DiagnosticError) return renderDiagnostics(error.diagnostics);
    throw error;
  }
  return "no failure";
}
