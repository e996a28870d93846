import { expect, test } from "vitest";
import { programText } from "./program-world.ts";

test("two objects, one using the other", async () => {
  const text = await programText(`
    import { k8s } from "keelson";
    const config = new k8s.ConfigMap({ data: { a: "1" } });
    new k8s.Secret("token", { stringData: { config: config.metadata.name } });
  `);
  expect(text).toMatchInlineSnapshot(`
    "dev:shop:main:keelson:k8s/ConfigMap (kubernetes)
      {apiVersion: "v1", kind: "ConfigMap", metadata: {name: "main-config-map-32e55f"}, data: {a: "1"}}
    dev:shop:main:keelson:k8s/Secret#token (kubernetes)
      {apiVersion: "v1", kind: "Secret", metadata: {name: "token"}, stringData: {config: <ConfigMap.metadata.name>}}
      → dev:shop:main:keelson:k8s/ConfigMap: stringData.config uses its metadata.name"
  `);
});
