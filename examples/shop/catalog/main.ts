import { k8s, random, Resource } from "keelson";

/** A service of the catalog: what runs, where it is reached, and how it is protected. */
class Service extends Resource {
  readonly service: k8s.Service;

  constructor(
    id: string,
    args: { readonly port: number; readonly environment?: Readonly<Record<string, string>> },
  ) {
    super(id, args);
    const labels = { app: id };
    new k8s.Deployment("app", {
      metadata: { name: id, labels },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels },
          spec: {
            containers: [
              {
                name: id,
                image: `registry.example.com/shop/${id}:1`,
                ports: [{ containerPort: args.port }],
                env: Object.entries(args.environment ?? {}).map(([name, value]) => ({
                  name,
                  value,
                })),
                resources: { requests: { cpu: "100m", memory: "128Mi" } },
              },
            ],
          },
        },
      },
    });
    this.service = new k8s.Service("service", {
      metadata: { name: id },
      spec: { selector: labels, ports: [{ port: args.port }] },
    });
    new k8s.PodDisruptionBudget("budget", {
      metadata: { name: id },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    });
  }
}

// Made once, kept in a Secret, and shown nowhere.
const key = new random.Password("key", { length: 24 });
const secret = new k8s.Secret("search-key", { stringData: { key: key.value } });

const search = new Service("search", { port: 9200 });
new Service("products", {
  port: 8080,
  // The address is known only when the cluster has given one: products wait for it.
  environment: {
    SEARCH: `http://${search.service.spec.clusterIP}:9200`,
    SEARCH_KEY_IN: secret.metadata.name,
  },
});
