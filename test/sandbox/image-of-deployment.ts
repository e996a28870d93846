import { defaultDataFolder, openSandboxCluster } from "../../src/sandbox/index.ts";

/** The image that a Deployment runs in the sandbox of a home, while nobody serves that. */
export async function imageOfDeployment(home: string, name: string): Promise<string> {
  const { cluster } = await openSandboxCluster(defaultDataFolder({ HOME: home }));
  const found = await cluster.get({
    apiVersion: "apps/v1",
    kind: "Deployment",
    namespace: "default",
    name,
  });
  await cluster.close();
  return /"image":"([^"]+)"/.exec(JSON.stringify(found["spec"]))?.[1] ?? "";
}
