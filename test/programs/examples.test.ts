import { expect, test } from "vitest";
import { programText } from "./program-world.ts";

/** A package with one resource and a provider, as the examples import it. */
const s3 = {
  "s3/package.json":
    '{ "name": "s3", "type": "module", "main": "s3.ts", "keelson": { "provider": "./provider.js" } }',
  "s3/s3.ts": `import { provisioned, Resource } from "keelson";
    export class Bucket extends Resource {
      readonly arn: string = provisioned();
      readonly region: string = provisioned();
      constructor(props: { deletionPolicy?: "delete" | "retain" } = {}) { super(props); }
    }`,
};

test("a resource class with the whole of keelson imported", async () => {
  const text = await programText({
    ...s3,
    "main.ts": `import * as keelson from "keelson";
      import * as s3 from "./s3";
      class MyResouce extends keelson.Resource {
        constructor(size: number) {
          super({ size });
          // ...
        }
        // ...
      }
      let bucket = new s3.Bucket({ deletionPolicy: "retain" });
      new MyResouce(3);`,
  });
  expect(text).toMatchInlineSnapshot(`
    "dev:shop:main:s3:s3/Bucket (provider)
      {}
    dev:shop:main:shop:main/MyResouce (composite)
      {size: 3}"
  `);
});

test("a shop that allocates a bucket, its settings and a workload", async () => {
  const text = await programText({
    ...s3,
    "main.ts": `import { Resource, k8s } from "keelson";
      import * as s3 from "./s3";                       // any package with resources and a provider

      class Shop extends Resource {                     // a class that allocates others
        readonly url: string;
        constructor(args: { replicas: number }) {
          super(args);
          const bucket = new s3.Bucket({ deletionPolicy: "retain" });
          const config = new k8s.ConfigMap({ data: { BUCKET: bucket.arn } });      // edge: bucket → config
          const labels = { app: "api" };
          const api = new k8s.Deployment("api", { spec: { replicas: args.replicas, selector: { matchLabels: labels },
            template: { metadata: { labels }, spec: { containers: [{ name: "api", envFrom: [{ configMapRef: { name: config.metadata.name } }] }] } } } });
          this.url = \`http://\${api.metadata.name}.\${bucket.region}\`;               // stays a provisioned value
        }
      }
      const shop = new Shop({ replicas: 3 });
      new k8s.ConfigMap("link", { data: { url: shop.url } });`,
  });
  expect(text).toMatchInlineSnapshot(`
    "dev:shop:main:shop:main/Shop (composite)
      {replicas: 3}
      → dev:shop:main/Shop:s3:s3/Bucket: allocates it
      → dev:shop:main/Shop:keelson:k8s/ConfigMap: allocates it
      → dev:shop:main/Shop:keelson:k8s/Deployment#api: allocates it
    dev:shop:main/Shop:s3:s3/Bucket (provider)
      {}
    dev:shop:main/Shop:keelson:k8s/ConfigMap (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "shop-config-map-767170"}, data: {BUCKET: <Bucket.arn>}}
      → dev:shop:main/Shop:s3:s3/Bucket: data.BUCKET uses its arn
    dev:shop:main/Shop:keelson:k8s/Deployment#api (kubernetes)
      {apiVersion: "apps/v1", kind: "Deployment", metadata: {name: "api"}, spec: {replicas: 3, selector: {matchLabels: {app: "api"}}, template: {metadata: {labels: {app: "api"}}, spec: {containers: [{name: "api", envFrom: [{configMapRef: {name: <ConfigMap.metadata.name>}}]}]}}}}
      → dev:shop:main/Shop:keelson:k8s/ConfigMap: spec.template.spec.containers.0.envFrom.0.configMapRef.name uses its metadata.name
    dev:shop:main:keelson:k8s/ConfigMap#link (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "link"}, data: {url: <http://(known after apply).(known after apply) of Deployment#api.metadata.name, Bucket.region>}}
      → dev:shop:main/Shop:keelson:k8s/Deployment#api: data.url uses its metadata.name
      → dev:shop:main/Shop:s3:s3/Bucket: data.url uses its region"
  `);
});
