// keelson apply examples/program
import { k8s, output } from "keelson";

const settings = new k8s.ConfigMap("settings", { data: { greeting: "hello" } });
const web = new k8s.Service("web", { spec: { selector: { app: "web" }, ports: [{ port: 80 }] } });

for (const region of ["eu", "us"]) {
  const labels = { app: "web", region };
  new k8s.Deployment(`web-${region}`, {
    spec: {
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          containers: [
            {
              name: "web",
              image: "registry.example.com/web:1",
              // Both values are known only while applying; using them is what makes this wait.
              envFrom: [{ configMapRef: { name: settings.metadata.name } }],
              env: [
                { name: "ADDRESS", value: `http://${web.spec.clusterIP}` },
                { name: "NETWORK", value: output(web.spec.clusterIP).map(networkOf) },
              ],
            },
          ],
        },
      },
    },
  });
}

function networkOf(address: string): string {
  return address.split(".").slice(0, 2).join(".");
}
