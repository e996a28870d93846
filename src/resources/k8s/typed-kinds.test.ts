import { describe, expectTypeOf, test } from "vitest";
import { k8s } from "../index.ts";
import type { Resource } from "../index.ts";

// None of these functions runs: the compiler checks them.
/* oxlint-disable no-new -- an allocation is what a program is about */
describe("types of kinds", () => {
  test("properties are checked", () => {
    const check = (): void => {
      new k8s.Service({ spec: { ports: [{ port: 80, targetPort: "http" }] } });
      new k8s.Service("api", { metadata: { labels: { app: "api" } } }, { protect: true });
      // @ts-expect-error A port needs its number.
      new k8s.Service({ spec: { ports: [{ name: "http" }] } });
      // @ts-expect-error There is no such field.
      new k8s.ConfigMap({ dat: {} });
      // @ts-expect-error There is no such option.
      new k8s.ConfigMap({}, { dependOn: [] });
      // @ts-expect-error The status belongs to the server.
      new k8s.Pod({ status: { phase: "Running" } });
    };
    expectTypeOf(check).toBeFunction();
  });

  test("what is read is there", () => {
    const read = (config: k8s.ConfigMap, api: k8s.Deployment) => ({
      name: config.metadata.name,
      image: api.spec.template.spec.containers[0]?.image,
      ready: api.status.readyReplicas,
      key: config.data["x"],
    });
    expectTypeOf(read).returns.toEqualTypeOf<{
      name: string;
      image: string | undefined;
      ready: number;
      key: string | undefined;
    }>();
  });

  test("one kind's values are another's properties", () => {
    const pass = (config: k8s.ConfigMap): k8s.Secret =>
      new k8s.Secret({
        metadata: { labels: config.metadata.labels },
        stringData: { name: config.metadata.name },
      });
    expectTypeOf(pass).returns.toExtend<Resource>();
  });

  test("custom kinds, typed and untyped, and classes of one's own", () => {
    interface WidgetFields {
      readonly spec: { readonly size: number };
      readonly status?: { readonly url?: string };
    }
    const check = (): string => {
      const Widget = k8s.kind<WidgetFields>("example.com/v1", "Widget");
      // @ts-expect-error The size is a number.
      new Widget({ spec: { size: "large" } });
      const Free = k8s.kind("example.com/v1", "Free");
      new Free({ spec: { anything: [1] } });
      class Api extends k8s.Deployment {
        readonly url = `http://${this.metadata.name}`;
      }
      return new Widget({ spec: { size: 1 } }).status.url + new Api().url;
    };
    expectTypeOf(check).toBeFunction();
  });
});
