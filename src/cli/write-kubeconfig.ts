import { fail } from "../diagnostics/index.ts";
import { writePrivateFile } from "../processes/private-file.ts";
import type { ServedSandbox } from "../sandbox/index.ts";

/** Writes how to reach a sandbox; one that nobody could reach is closed. */
export async function writeKubeconfig(file: string, served: ServedSandbox): Promise<void> {
  try {
    writePrivateFile(file, served.kubeconfig);
  } catch (cause) {
    await served.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    fail({
      code: "sandbox.kubeconfig-unwritable",
      summary: `writing the sandbox's kubeconfig ${file}: ${reason}`,
      detail: "The objects of the sandbox are safe.",
      hint: "make room on that disk, or give a file in a folder that you may write with --kubeconfig",
      cause,
    });
  }
}
