/** One control plane for all suites of a run; `KEELSON_TEST_KUBECONFIG` uses another cluster. */
import type { TestProject } from "vitest/node";
import { startControlPlane } from "./control-plane.ts";

declare module "vitest" {
  interface ProvidedContext {
    readonly kubeconfig: string;
  }
}

export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const given = process.env["KEELSON_TEST_KUBECONFIG"];
  if (given !== undefined && given !== "") {
    project.provide("kubeconfig", given);
    return undefined;
  }
  const controlPlane = await startControlPlane({ report: (line) => console.log(line) });
  project.provide("kubeconfig", controlPlane.kubeconfig);
  return () => controlPlane.stop();
}
