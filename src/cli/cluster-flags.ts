import { parsedFlag, switchFlag, textFlag } from "./flag.ts";
/** Which API a command speaks to. */
export interface ClusterFlags {
  readonly kubeconfig?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly sandbox: boolean;
}

/** Objects of an empty namespace, as an unset variable gives it, would be applied nowhere. */
function parseNamespace(text: string): string {
  if (/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(text)) return text;
  throw new SyntaxError(
    `${JSON.stringify(text)} is no name for a namespace; it has lower-case letters, digits and -, at most 63`,
  );
}

/** The flags of every command that speaks to an API. */
export const clusterFlags = {
  kubeconfig: textFlag(
    "The kubeconfig to use instead of KUBECONFIG and the one in your home",
    "file",
  ),
  context: textFlag("The context of the kubeconfig to use instead of its current one", "name"),
  namespace: parsedFlag(
    parseNamespace,
    "The namespace of objects that name none; the context's unless given",
    "name",
  ),
  sandbox: switchFlag(
    "Use the sandbox, also where there is a cluster; needed in CI and without a terminal",
  ),
} as const;
