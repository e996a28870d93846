const kinds: Readonly<Record<string, string>> = {
  configmap: "ConfigMap",
  configmaps: "ConfigMap",
  secret: "Secret",
  secrets: "Secret",
  serviceaccount: "service account",
  persistentvolumeclaim: "PersistentVolumeClaim",
  "storageclass.storage.k8s.io": "storage class",
  "priorityclass.scheduling.k8s.io": "priority class",
};

/** What a message of Kubernetes says is missing; undefined when it says nothing of the kind. */
export function missingReference(message: string): string | undefined {
  const key =
    /couldn't find key (\S+) in (ConfigMap|Secret) (?:[^/\s]+\/)?([^\s,]+)/.exec(message) ??
    undefined;
  if (key !== undefined) return `${key[2] ?? ""} ${key[3] ?? ""} has no key ${key[1] ?? ""}`;
  const files = /references non-existent (config|secret) key: (\S+)/.exec(message);
  if (files !== null)
    return `${files[1] === "config" ? "the mounted ConfigMap" : "the mounted Secret"} has no key ${files[2] ?? ""}`;
  const found = /\b([a-z][a-z.0-9]*) "([^"]+)" not found/.exec(message);
  const kind = kinds[found?.[1] ?? ""];
  return found === null || kind === undefined
    ? undefined
    : `${kind} ${found[2] ?? ""} does not exist`;
}
