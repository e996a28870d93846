/** Real kubectl and helm for the tests, built from their Go modules once. */
import { ensureProgram, type GoProgram, hasPrograms, kubernetesProgram } from "./binaries.ts";

const kubectl = kubernetesProgram("kubectl");
const helm: GoProgram = {
  name: "helm",
  module: "helm",
  package: "helm.sh/helm/v4/cmd/helm",
  version: "v4.3.1",
  linkerFlags: "-X helm.sh/helm/v4/internal/version.version=v4.3.1",
};

/** Whether both have been built. */
export function hasCommandLineTools(): boolean {
  return hasPrograms([kubectl, helm]);
}

export function kubectlPath(): Promise<string> {
  return ensureProgram(kubectl, (line) => console.log(line));
}

export function helmPath(): Promise<string> {
  return ensureProgram(helm, (line) => console.log(line));
}

/** Builds both ahead of the tests, whose time is limited. */
export async function setup(): Promise<void> {
  await kubectlPath();
  await helmPath();
}
