import { writeFile } from "node:fs/promises";
import { join } from "node:path";

export const kwokLogLines = [
  "first line of the log",
  "second line of the log",
  "third line of the log",
];

/** What kwok's fake containers do when asked for logs, a command or a port. */
export async function kwokConfig(folder: string): Promise<string> {
  const log = join(folder, "container.log");
  await writeFile(
    log,
    `${kwokLogLines.map((line) => `2026-01-01T00:00:00.000000000Z stdout F ${line}`).join("\n")}\n`,
  );
  return `apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterLogs
metadata:
  name: logs
spec:
  logs:
  - logsFile: ${log}
    follow: true
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterExec
metadata:
  name: exec
spec:
  execs:
  - local:
      workDir: ${folder}
---
apiVersion: kwok.x-k8s.io/v1alpha1
kind: ClusterPortForward
metadata:
  name: port-forward
spec:
  forwards:
  - command:
    - cat
`;
}
