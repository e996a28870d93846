/** A kubeconfig for one server, as `kubectl` reads it. */
export function kubeconfigText(server: {
  readonly url: string;
  readonly authority: string;
  readonly token: string;
}): string {
  return `apiVersion: v1
kind: Config
current-context: keelson-sandbox
clusters:
- name: keelson-sandbox
  cluster:
    server: ${server.url}
    certificate-authority-data: ${Buffer.from(server.authority).toString("base64")}
contexts:
- name: keelson-sandbox
  context:
    cluster: keelson-sandbox
    user: admin
    namespace: default
users:
- name: admin
  user:
    token: ${server.token}
`;
}
