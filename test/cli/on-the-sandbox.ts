/** What a pipeline without a cluster of its own says: the sandbox is meant. Tests that name a cluster keep it. */
export function onTheSandbox(
  env: Readonly<Partial<Record<string, string>>>,
): Readonly<Partial<Record<string, string>>> {
  const hasCluster = ["KUBECONFIG", "KUBERNETES_SERVICE_HOST"].some(
    (name) => (env[name] ?? "") !== "",
  );
  return hasCluster || env["KEELSON_SANDBOX"] !== undefined
    ? env
    : { ...env, KEELSON_SANDBOX: "1" };
}
