import { describe, expect, it } from "vitest";
import {
  assembleCase,
  assembleText,
  componentOf,
  line,
} from "../../test/assembly/assembly-text.ts";
import type { ComponentDirective, Directive } from "./index.ts";

const vigodas = "apps/v1 Deployment vigoda\nbatch/v1 CronJob vigoda";

const shop = `
apps/v1 Deployment web
apps/v1 Deployment db
v1 ConfigMap shared
v1 ConfigMap web
v1 Service shared
`;

/** Objects and what is said of them, one directive a line of the Tiltfile. */
function check(
  objects: string,
  ...said: readonly Omit<ComponentDirective, "kind" | "source">[]
): string {
  return assembleText({ objects, directives: directives(...said) });
}

function directives(
  ...said: readonly Omit<ComponentDirective, "kind" | "source">[]
): readonly Directive[] {
  return said.map((each, index) => ({ kind: "component", ...each, source: line(index + 1) }));
}

describe("which workload is meant", () => {
  it("is said by an identifier", () => {
    expect(
      check(
        vigodas,
        { workload: "vigoda:deployment:default", newName: "vigoda" },
        { workload: "vigoda:cronjob", newName: "cron" },
      ),
    ).toMatchInlineSnapshot(`
      "vigoda: Deployment vigoda
      cron: CronJob vigoda
      "
    `);
  });

  it("must be said uniquely", () => {
    expect(check(vigodas, { workload: "vigoda", portForwards: [] })).toMatchInlineSnapshot(`
      "vigoda:deployment: Deployment vigoda
      vigoda:cronjob: CronJob vigoda
      error[assembly.ambiguous-workload]: "vigoda" does not say which workload is meant: 2 match
        at Tiltfile:1:1
        It matches
          vigoda:deployment:default:apps (objects.yaml:1:5)
          vigoda:cronjob:default:batch (objects.yaml:2:5)
        hint: Say more, for example "vigoda:deployment" or "vigoda:cronjob".
      "
    `);
  });

  it("may be said by a name that was given before", () => {
    expect(
      check(
        vigodas,
        { workload: "vigoda:deployment", newName: "vigoda" },
        { workload: "vigoda", newName: "new" },
        { workload: "new", newName: "newest" },
      ),
    ).toMatchInlineSnapshot(`
      "newest: Deployment vigoda
      vigoda:cronjob: CronJob vigoda
      "
    `);
  });

  it("must be known; everything that is wrong is said at once", () => {
    expect(
      check(vigodas, { workload: "vigodda" }, { workload: "x:deployment" }, { workload: "a:" }),
    ).toMatchInlineSnapshot(`
      "vigoda:deployment: Deployment vigoda
      vigoda:cronjob: CronJob vigoda
      error[assembly.unknown-workload]: there is no workload "vigodda"
        at Tiltfile:1:1
        The components are
          vigoda:deployment
          vigoda:cronjob
        hint: Did you mean "vigoda"?
      error[assembly.unknown-workload]: there is no workload "x:deployment"
        at Tiltfile:2:1
        The components are
          vigoda:deployment
          vigoda:cronjob
        hint: Give the object of the workload too, or declare its kind as a workload kind.
      error[assembly.invalid-identifier]: "a:" is no identifier of an object: its kind is empty
        at Tiltfile:3:1
        a:
          ^
        hint: Write name:kind:namespace:group, leaving off what is not needed, and \\: for a colon in a name.
      "
    `);
  });

  it("may not be one workload as an identifier and another by its name", () => {
    expect(
      check(
        shop,
        { workload: "web", newName: "db" },
        { workload: "db", newName: "web" },
        { workload: "db", autoInit: false },
      ),
    ).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      db: Deployment web
      web: Deployment db
      error[assembly.ambiguous-name]: "db" means more than one component, as an identifier or by its name
        at Tiltfile:3:1
        It means
          the component "web" of db:deployment:default:apps (objects.yaml:2:5)
          the component "db" of web:deployment:default:apps (objects.yaml:1:5)
        hint: Write a longer identifier, for example "db:deployment:default:apps".
      "
    `);
  });

  it("may not be a local component", () => {
    const local: Directive = { kind: "local", name: "lint", source: line(9) };
    const said = directives({ workload: "lint", autoInit: false });
    expect(assembleText({ objects: shop, directives: [local, ...said] })).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      web: Deployment web
      db: Deployment db
      lint: 
      error[assembly.unknown-workload]: "lint" is a local component, not a workload
        at Tiltfile:1:1
        hint: Set its options where it is declared, at Tiltfile:9:1.
      "
    `);
  });
});

it("is not said by a name that several workloads and a local component have", () => {
  const local: Directive = { kind: "local", name: "vigoda", source: line(9) };
  const said = directives({ workload: "vigoda" });
  const { diagnostics } = assembleCase({ objects: vigodas, directives: [local, ...said] });
  expect(diagnostics.map(({ code }) => code)).toEqual(["assembly.ambiguous-workload"]);
});

describe("names", () => {
  it("may not be taken by another workload", () => {
    expect(check(vigodas, { workload: "vigoda:deployment", newName: "vigoda:cronjob" }))
      .toMatchInlineSnapshot(`
      "vigoda:cronjob: Deployment vigoda
      vigoda:cronjob: CronJob vigoda
      error[assembly.name-taken]: 2 components have the name "vigoda:cronjob"
        at Tiltfile:1:1
        They are
          vigoda:deployment:default:apps (objects.yaml:1:5), renamed at Tiltfile:1:1
          vigoda:cronjob:default:batch (objects.yaml:2:5), by its identifier
        hint: Give one of them another name.
      "
    `);
  });

  it("may not be taken by a local component", () => {
    const local: Directive = { kind: "local", name: "lint", source: line(9) };
    const said = directives({ workload: "web", newName: "lint" });
    expect(assembleText({ objects: shop, directives: [local, ...said] })).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      lint: Deployment web
      db: Deployment db
      lint: 
      error[assembly.name-taken]: 2 components have the name "lint"
        at Tiltfile:1:1
        They are
          web:deployment:default:apps (objects.yaml:1:5), renamed at Tiltfile:1:1
          a local component at Tiltfile:9:1
        hint: Give one of them another name.
      "
    `);
  });

  it("may be swapped", () => {
    expect(check(shop, { workload: "web", newName: "db" }, { workload: "db", newName: "web" }))
      .toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      db: Deployment web
      web: Deployment db
      "
    `);
  });

  it("may go round in a ring", () => {
    expect(
      check(
        "v1 Pod a\nv1 Pod b\nv1 Pod c",
        { workload: "a", newName: "b" },
        { workload: "b", newName: "c" },
        { workload: "c", newName: "a" },
      ),
    ).toMatchInlineSnapshot(`
      "b: Pod a
      c: Pod b
      a: Pod c
      "
    `);
  });

  it("may not be empty", () => {
    expect(check(shop, { workload: "web", newName: " " })).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      web: Deployment web
      db: Deployment db
      error[assembly.invalid-name]: the new name of "web" is empty
        at Tiltfile:1:1
        hint: Give it a name, or leave the new name out.
      "
    `);
  });

  it("are not shortened again after a rename", () => {
    expect(check(vigodas, { workload: "vigoda:cronjob", newName: "x" })).toMatchInlineSnapshot(`
      "vigoda:deployment: Deployment vigoda
      x: CronJob vigoda
      "
    `);
  });

  it("of objects that the server names may clash", () => {
    const job = "{apiVersion: batch/v1, kind: Job, metadata: {generateName: seed-}}\n";
    expect(check(`${job}---\n${job}`)).toMatchInlineSnapshot(`
      "seed-:job:default:batch: Job 
      seed-:job:default:batch: Job 
      error[assembly.name-taken]: 2 components have the name "seed-:job:default:batch"
        at objects.yaml:3:1
        They are
          seed-:job:default:batch (objects.yaml:1:1), by its identifier
          seed-:job:default:batch (objects.yaml:3:1), by its identifier
        hint: Give one of them another name.
      "
    `);
  });
});

describe("objects of a component", () => {
  it("are moved, and can make one without a workload", () => {
    expect(
      check(
        shop,
        { newName: "config", objects: ["shared:configmap"], labels: ["x"] },
        { workload: "config", objects: ["shared:service:default:core"] },
        { workload: "db", objects: ["web:configmap"] },
      ),
    ).toMatchInlineSnapshot(`
      "web: Deployment web
      db: Deployment db, ConfigMap web
      config: ConfigMap shared, Service shared
      "
    `);
  });

  it("must be named uniquely, be there and be no workloads", () => {
    expect(
      check(
        shop,
        { newName: "a", objects: ["shared"] },
        { newName: "b", objects: ["sharde"] },
        { newName: "c", objects: ["web:deployment"] },
        { newName: "d", objects: ["shared\\"] },
        { newName: "e", objects: ["shared:service"] },
        { newName: "f", objects: ["shared:service"] },
      ),
    ).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web
      web: Deployment web
      db: Deployment db
      a: 
      b: 
      c: 
      d: 
      e: Service shared
      f: 
      error[assembly.ambiguous-object]: "shared" does not say which object is meant: 2 match
        at Tiltfile:1:1
        It matches
          shared:configmap:default:core (objects.yaml:3:5)
          shared:service:default:core (objects.yaml:5:5)
        hint: Say more, for example "shared:configmap" or "shared:service".
      error[assembly.unknown-object]: there is no object "sharde"
        at Tiltfile:2:1
        The objects that are no workloads are
          shared:configmap
          web:configmap
          shared:service
        hint: Did you mean "shared"?
      error[assembly.workload-in-objects]: "web:deployment" is a workload and cannot be an object of the component "c"
        at Tiltfile:3:1
        web:deployment:default:apps (objects.yaml:1:5) is a component of its own, and a component has one workload.
        hint: Take it out of the objects; set its options with "web:deployment:default:apps" as the workload.
      error[assembly.invalid-identifier]: "shared\\" is no identifier of an object: it ends in a single backslash
        at Tiltfile:4:1
        shared\\
              ^
        hint: Write name:kind:namespace:group, leaving off what is not needed, and \\: for a colon in a name.
      error[assembly.object-claimed-twice]: shared:service:default:core is put into two components, "e" and "f"
        at Tiltfile:6:1
        It was first put into "e" at Tiltfile:5:1.
        hint: Name it in the objects of one component, once.
      "
    `);
  });

  it("are needed with a new name where there is no workload", () => {
    expect(check(shop, { newName: "config" }, { objects: ["shared:service"] }, { autoInit: true }))
      .toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      web: Deployment web
      db: Deployment db
      error[assembly.incomplete-component]: the component "config" has neither a workload nor objects
        at Tiltfile:1:1
        hint: Say which workload is meant, or give both a new name and objects to make a component of them.
      error[assembly.incomplete-component]: options are set for a component, but neither a workload nor a new name says for which
        at Tiltfile:2:1
        hint: Say which workload is meant, or give both a new name and objects to make a component of them.
      error[assembly.incomplete-component]: options are set for a component, but neither a workload nor a new name says for which
        at Tiltfile:3:1
        hint: Say which workload is meant, or give both a new name and objects to make a component of them.
      "
    `);
  });

  it("without any workload are told apart from it", () => {
    expect(check("v1 ConfigMap a", { workload: "a" })).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap a
      error[assembly.unknown-workload]: "a" is no workload, but a ConfigMap
        at Tiltfile:1:1
        It matches a:configmap:default:core (objects.yaml:1:5).
        hint: Name it in the objects of a component, or declare ConfigMap as a workload kind.
      "
    `);
  });
});

describe("options", () => {
  it("add up, or the last one counts", () => {
    const {
      objects: _objects,
      workload: _workload,
      ...options
    } = componentOf({
      objects: "v1 Pod a\nv1 Pod b\nv1 Pod c",
      directives: directives(
        {
          workload: "a",
          portForwards: [{ localPort: 1 }],
          extraPodSelectors: [{ app: "x" }],
          dependsOn: ["b"],
          links: [{ url: "http://a" }],
          labels: ["one"],
          triggerMode: "manual",
          autoInit: false,
          podReadiness: "ignore",
          discoveryStrategy: "selectors-only",
        },
        { workload: "a", dependsOn: ["b", "c"], labels: ["one", "two"], triggerMode: "auto" },
        {
          workload: "a",
          portForwards: [{ localPort: 2 }],
          extraPodSelectors: [{ app: "y" }],
          links: [{ url: "http://b" }],
          podReadiness: "succeeded",
        },
      ),
    });
    expect(options).toEqual({
      name: "a",
      kind: "workload",
      images: [],
      portForwards: [{ localPort: 1 }, { localPort: 2 }],
      extraPodSelectors: [{ app: "x" }, { app: "y" }],
      dependsOn: ["b", "c"],
      links: [{ url: "http://a" }, { url: "http://b" }],
      labels: ["one", "two"],
      triggerMode: "auto",
      autoInit: false,
      podReadiness: "succeeded",
      discoveryStrategy: "selectors-only",
      source: line(1),
    });
  });

  it.each<readonly [objects: string, expected: string, said: readonly Directive[]]>([
    ["apps/v1 Deployment a", "wait", []],
    ["batch/v1 Job a", "succeeded", []],
    ["batch/v1 CronJob a", "ignore", []],
    ["v1 ConfigMap a", "ignore", []],
    [
      "apps/v1 Deployment a",
      "ignore",
      [{ kind: "workload-kind", objectKind: "deployment", podReadiness: "ignore" }],
    ],
    [
      "v1 ConfigMap a",
      "wait",
      [{ kind: "component", workload: "uncategorized", extraPodSelectors: [{ a: "b" }] }],
    ],
  ])("pods of %s: %s", (objects, expected, said) => {
    expect(componentOf({ objects, directives: said }).podReadiness).toBe(expected);
  });

  it("of a local component stand where it is declared", () => {
    const local: Directive = {
      kind: "local",
      name: "lint",
      dependsOn: ["web"],
      labels: ["checks"],
      autoInit: false,
      source: line(1),
    };
    expect(componentOf({ objects: shop, directives: [local] }, "lint")).toEqual({
      name: "lint",
      kind: "local",
      objects: [],
      images: [],
      dependsOn: ["web"],
      portForwards: [],
      extraPodSelectors: [],
      links: [],
      labels: ["checks"],
      autoInit: false,
      podReadiness: "ignore",
      discoveryStrategy: "default",
      source: line(1),
    });
  });
});

describe("dependencies", () => {
  it("on what is not there are warned of", () => {
    expect(check(shop, { workload: "web", dependsOn: ["dc", "db"] })).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      web: Deployment web
      db: Deployment db
      warning[assembly.unknown-dependency]: "web" is to wait for "dc", but there is no such component
        at Tiltfile:1:1
        The components are
          uncategorized
          web
          db
        hint: Did you mean "db"?
      "
    `);
  });

  it("on itself are an error", () => {
    expect(check(shop, { workload: "web", newName: "site", dependsOn: ["site"] }))
      .toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      site: Deployment web
      db: Deployment db
      error[assembly.dependency-cycle]: "site" waits for itself
        at Tiltfile:1:1
        "site" waits for "site" (Tiltfile:1:1)
        hint: Take one of these dependencies out.
      "
    `);
  });

  it("in a cycle are an error that shows it", () => {
    const local: Directive = { kind: "local", name: "c", dependsOn: ["web"], source: line(9) };
    const said = directives(
      { workload: "web", dependsOn: ["db"] },
      { workload: "db", dependsOn: ["c"] },
    );
    expect(assembleText({ objects: shop, directives: [...said, local] })).toMatchInlineSnapshot(`
      "uncategorized: ConfigMap shared, ConfigMap web, Service shared
      web: Deployment web
      db: Deployment db
      c: 
      error[assembly.dependency-cycle]: components wait for each other: web → db → c → web
        at Tiltfile:9:1
        "web" waits for "db" (Tiltfile:1:1)
        "db" waits for "c" (Tiltfile:2:1)
        "c" waits for "web" (Tiltfile:9:1)
        hint: Take one of these dependencies out.
      "
    `);
  });
});
