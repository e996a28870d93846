import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";
import { serveInMemory } from "./serve-sandbox.ts";

export interface CreateSandboxOptions {
  /** A `ManualClock` makes everything happen when the test says so. */
  readonly clock?: Clock;
  readonly random?: Random;
  /** False leaves out the simulated runtime: nothing becomes ready by itself. */
  readonly workloads?: boolean;
  /** Lets the annotation `sandbox.keelson.dev/run` back containers with processes of this machine. */
  readonly allowProcesses?: boolean;
}

export interface CreatedSandbox {
  readonly url: string;
  /** The text of a kubeconfig, for any client. */
  readonly kubeconfig: string;
  readonly close: () => Promise<void>;
}

/**
 * A Kubernetes API for a test: in memory, on loopback, gone when closed.
 *
 * @example
 * const sandbox = await createSandbox();
 * try {
 *   writeFileSync("kubeconfig", sandbox.kubeconfig);
 * } finally {
 *   await sandbox.close();
 * }
 */
export async function createSandbox(options: CreateSandboxOptions = {}): Promise<CreatedSandbox> {
  const { url, kubeconfig, close } = await serveInMemory(options);
  return { url, kubeconfig, close };
}
