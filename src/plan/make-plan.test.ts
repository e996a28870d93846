import { describe, expect, it } from "vitest";
import { emptyInventory, type Inventory } from "../inventory/index.ts";
import {
  identityKey,
  identityOf,
  type KubernetesObject,
  readObjectsFromText,
  type SourcedObject,
} from "../objects/index.ts";
import { makeDestroyPlan } from "./make-destroy-plan.ts";
import { makePlan, type PlanInput } from "./make-plan.ts";
import type { Plan } from "./plan.ts";

const reference = { name: "shop", namespace: "default", id: "shop-id", source: "rg.yaml" };
const owner = "config.k8s.io/owning-inventory";

type Fields = Readonly<Record<string, unknown>>;

function object(type: string, place: string, fields: Fields = {}): KubernetesObject {
  const [apiVersion = "", kind = ""] = type.split(" ");
  const [namespace, name] = place.includes("/") ? place.split("/") : [undefined, place];
  const { annotations, uid = place, ...rest } = fields;
  const metadata = { name, uid, ...(namespace === undefined ? {} : { namespace }), annotations };
  return { apiVersion, kind, metadata, ...rest } as unknown as KubernetesObject;
}

const map = (place: string, annotations: Fields = {}): KubernetesObject =>
  object("v1 ConfigMap", place, { annotations });
const ours = (place: string, annotations: Fields = {}, type = "v1 ConfigMap"): KubernetesObject =>
  object(type, place, { annotations: { [owner]: "shop-id", ...annotations } });
const on = (target: string): Fields => ({ "config.kubernetes.io/depends-on": target });

const definition = (group: string, kind: string): KubernetesObject =>
  object("apiextensions.k8s.io/v1 CustomResourceDefinition", `${kind}.${group}`, {
    annotations: { [owner]: "shop-id" },
    spec: { group, names: { kind } },
  });
const from = (sourceRef: string): Fields => ({
  "config.kubernetes.io/apply-time-mutation": `[{sourceRef: ${sourceRef}, sourcePath: $.x, targetPath: $.data.y}]`,
});

function sourced(each: KubernetesObject): SourcedObject {
  const { objects } = readObjectsFromText("a.yaml", JSON.stringify(each));
  const [only] = objects;
  if (only === undefined) throw new Error("no object");
  return only;
}

const inventoryOf = (owned: readonly KubernetesObject[]): Inventory => ({
  ...emptyInventory(reference),
  liveId: "shop-id",
  parts: [{ name: "shop", uid: "", resourceVersion: "", entries: owned.map(identityOf) }],
});

const byKey = (objects: readonly KubernetesObject[]): ReadonlyMap<string, KubernetesObject> =>
  new Map(objects.map((each) => [identityKey(identityOf(each)), each]));

interface Case {
  readonly desired?: readonly KubernetesObject[];
  readonly owned?: readonly KubernetesObject[];
  readonly live?: readonly KubernetesObject[];
  readonly external?: readonly KubernetesObject[];
  readonly input?: Partial<PlanInput>;
}

function plan({ desired = [], owned = [], live = [], external = [], input = {} }: Case): {
  readonly value: Plan | undefined;
  readonly problems: readonly string[];
  readonly hints: readonly (string | undefined)[];
} {
  const { plan: value, invalid } = makePlan({
    desired: desired.map(sourced),
    inventory: inventoryOf(owned),
    live: byKey([...owned, ...live, ...external]),
    external: new Set(external.map((each) => identityKey(identityOf(each)))),
    policy: "strict",
    manager: "keelson",
    schemaOf: () => undefined,
    ...input,
  });
  const problems = invalid.map(({ diagnostic: { code, summary, detail } }) =>
    [`${code}: ${summary}`, ...(detail === undefined ? [] : [detail])].join("\n"),
  );
  const hints = invalid.map(({ diagnostic: { hint } }) => hint);
  return { value, problems, hints };
}

/** Each node as `Kind name action (reason)`. */
function actions(value: Plan | undefined): readonly string[] {
  return [...(value?.nodes.values() ?? [])].map(
    ({ identity: { kind, name }, action, reason }) =>
      `${kind} ${name} ${action}${reason === undefined ? "" : ` (${reason})`}`,
  );
}

/** Each edge as `from → to: reason`, soft ones with a question mark. */
function edges(value: Plan | undefined): readonly string[] {
  const name = (key: string): string => key.split("/").slice(1).join("/").replace(/\/+/g, " ");
  return (value?.graph.edges ?? []).map(
    ({ from, to, reason, soft }) =>
      `${name(from)} → ${name(to)}${soft === true ? "?" : ""}: ${reason}`,
  );
}

describe("the graph of a plan", () => {
  const definition = object("apiextensions.k8s.io/v1 CustomResourceDefinition", "ws.e.com", {
    spec: { group: "e.com", names: { kind: "W" } },
  });
  const pod = object("v1 Pod", "a/p", {
    spec: {
      serviceAccountName: "sa",
      volumes: [{ configMap: { name: "c" } }, { secret: { secretName: "s" } }],
    },
  });
  const cases: readonly (readonly [
    what: string,
    desired: readonly KubernetesObject[],
    expected: readonly string[],
  ])[] = [
    [
      "custom objects wait for their definition",
      [object("e.com/v1 W", "a/w"), definition],
      ["W a w → CustomResourceDefinition ws.e.com: W is defined by this CustomResourceDefinition"],
    ],
    [
      "objects wait for their namespace",
      [map("a/m"), object("v1 Namespace", "a")],
      ["ConfigMap a m → Namespace a: it is in the namespace a"],
    ],
    [
      "depends-on",
      [map("a/m", on("/namespaces/a/ConfigMap/n")), map("a/n")],
      ["ConfigMap a m → ConfigMap a n: its annotation depends-on names it"],
    ],
    [
      "apply-time mutation",
      [
        map("a/m", {
          "config.kubernetes.io/apply-time-mutation":
            "- sourceRef: {kind: ConfigMap, name: n}\n  sourcePath: $.data.x\n  targetPath: $.data.y\n",
        }),
        map("a/n"),
      ],
      ["ConfigMap a m → ConfigMap a n: its annotation apply-time-mutation takes $.data.x from it"],
    ],
    [
      "apply-time mutation from a kind without namespaces",
      [map("a/m", from("{kind: Namespace, name: b}")), object("v1 Namespace", "b")],
      ["ConfigMap a m → Namespace b: its annotation apply-time-mutation takes $.x from it"],
    ],
    [
      "what is referred to comes first, if that is possible",
      [pod, object("v1 ServiceAccount", "a/sa"), map("a/c"), object("v1 Secret", "a/s")],
      [
        "Pod a p → ServiceAccount a sa?: its pods run as this ServiceAccount",
        "Pod a p → ConfigMap a c?: its pods mount this ConfigMap",
        "Pod a p → Secret a s?: its pods mount this Secret",
      ],
    ],
    [
      "a reference never makes a cycle",
      [pod, map("a/c", on("/namespaces/a/Pod/p"))],
      ["ConfigMap a c → Pod a p: its annotation depends-on names it"],
    ],
    [
      "webhooks come last",
      [object("admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration", "v"), map("a/m")],
      [
        "ValidatingWebhookConfiguration v → ConfigMap a m?: webhooks come last, after ConfigMap a/m",
      ],
    ],
    [
      "further webhooks come after the first",
      [
        ...["v", "w"].map((name) =>
          object("admissionregistration.k8s.io/v1 ValidatingWebhookConfiguration", name),
        ),
        map("a/m"),
        map("a/n"),
      ],
      [
        "ValidatingWebhookConfiguration v → ConfigMap a m?: webhooks come last, after ConfigMap a/m",
        "ValidatingWebhookConfiguration v → ConfigMap a n?: webhooks come last, after ConfigMap a/n",
        "ValidatingWebhookConfiguration w → ValidatingWebhookConfiguration v?: webhooks come last, after ValidatingWebhookConfiguration.admissionregistration.k8s.io v",
      ],
    ],
  ];
  it.each(cases)("%s", (_what, desired, expected) => {
    expect(edges(plan({ desired }).value)).toEqual(expected);
  });

  it("is turned round for what goes", () => {
    const owned = [ours("a/m"), ours("a", {}, "v1 Namespace")];
    expect(edges(plan({ owned }).value)).toEqual([
      "Namespace a → ConfigMap a m: it is in the namespace a",
    ]);
  });
});

describe("what is planned", () => {
  const cases: readonly (readonly [what: string, given: Case, expected: readonly string[]])[] = [
    ["what is not there is created", { desired: [map("a/m")] }, ["ConfigMap m create"]],
    [
      "where nobody can tell the server is asked",
      { desired: [map("a/m")], owned: [ours("a/m")] },
      ["ConfigMap m update"],
    ],
    [
      "what belongs to nobody is refused",
      { desired: [map("a/m")], live: [map("a/m")] },
      ["ConfigMap m skip (NotOwned)"],
    ],
    [
      "what belongs to another is refused",
      { desired: [map("a/m")], live: [map("a/m", { [owner]: "other" })] },
      ["ConfigMap m skip (OwnedByOther)"],
    ],
    ["what left is pruned", { owned: [ours("a/m")] }, ["ConfigMap m delete"]],
    [
      "what left and is known to be gone is forgotten",
      {
        owned: [ours("a/m")],
        input: {
          live: new Map(),
          absence: { absent: new Map([["/ConfigMap/a/m", "gone"]]), unchecked: new Map() },
        },
      },
      ["ConfigMap m forget (Gone)"],
    ],
    [
      "what left and was only not seen stays",
      { owned: [ours("a/m")], input: { live: new Map() } },
      ["ConfigMap m skip (NotChecked)"],
    ],
    [
      "the namespace and the definition of what was only not seen stay",
      {
        owned: [
          ours("a", {}, "v1 Namespace"),
          definition("e.com", "W"),
          ours("a/w", {}, "e.com/v1 W"),
        ],
        input: {
          live: byKey([ours("a", {}, "v1 Namespace"), definition("e.com", "W")]),
        },
      },
      [
        "Namespace a skip (NamespaceInUse)",
        "CustomResourceDefinition W.e.com skip (DefinitionInUse)",
        "W w skip (NotChecked)",
      ],
    ],
    [
      "what another took is not pruned",
      { owned: [map("a/m", { [owner]: "other" })] },
      ["ConfigMap m skip (OwnedByOther)"],
    ],
    [
      "what asks for it is kept",
      {
        owned: [
          ours("a/m", { "client.lifecycle.config.k8s.io/deletion": "detach" }),
          ours("a/n", { "cli-utils.sigs.k8s.io/on-remove": "keep" }),
          ours("a", {}, "v1 Namespace"),
        ],
      },
      [
        "ConfigMap m keep (KeepAnnotation)",
        "ConfigMap n keep (KeepAnnotation)",
        "Namespace a skip (NamespaceInUse)",
      ],
    ],
    [
      "a namespace in use is not pruned",
      { desired: [map("a/m")], owned: [ours("a", {}, "v1 Namespace")] },
      ["ConfigMap m create", "Namespace a skip (NamespaceInUse)"],
    ],
    [
      "nor a definition of what is applied or kept, nor that of inventories",
      {
        desired: [object("try.dev/v1 Foo", "a/f")],
        owned: [
          definition("try.dev", "Foo"),
          definition("try.dev", "Bar"),
          ours("a/b", { "cli-utils.sigs.k8s.io/on-remove": "keep" }, "try.dev/v1 Bar"),
          definition("try.dev", "Quux"),
          definition("kpt.dev", "ResourceGroup"),
        ],
      },
      [
        "Foo f create",
        "CustomResourceDefinition Foo.try.dev skip (DefinitionInUse)",
        "CustomResourceDefinition Bar.try.dev skip (DefinitionInUse)",
        "Bar b keep (KeepAnnotation)",
        "CustomResourceDefinition Quux.try.dev delete",
        "CustomResourceDefinition ResourceGroup.kpt.dev skip (DefinitionInUse)",
      ],
    ],
    [
      "nor the one that holds the inventory",
      { owned: [ours("default", {}, "v1 Namespace")] },
      ["Namespace default skip (NamespaceInUse)"],
    ],
    [
      "the same object under another group is not pruned",
      {
        desired: [object("networking.k8s.io/v1 Ingress", "a/i")],
        owned: [ours("a/i", {}, "extensions/v1beta1 Ingress")],
        live: [ours("a/i", {}, "networking.k8s.io/v1 Ingress")],
      },
      ["Ingress i update", "Ingress i forget (Renamed)"],
    ],
  ];
  it.each(cases)("%s", (_what, given, expected) => {
    expect(actions(plan(given).value)).toEqual(expected);
  });

  it("with a former id, while objects carry it", () => {
    const owned = [ours("a/m", { [owner]: "old" })];
    const inventory = { ...inventoryOf(owned), formerId: "old" };
    expect(actions(plan({ owned, input: { inventory } }).value)).toEqual(["ConfigMap m delete"]);
  });

  it("a Job that is depended on must end", () => {
    const desired = [
      object("batch/v1 Job", "a/j"),
      map("a/m", on("batch/namespaces/a/Job/j")),
      object("batch/v1 Job", "a/k"),
    ];
    const nodes = [...(plan({ desired }).value?.nodes.values() ?? [])];
    expect(nodes.map((node) => node.kind === "apply" && node.mustComplete)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it("what is depended on outside is waited for", () => {
    const desired = [map("a/m", on("/namespaces/b/ConfigMap/x"))];
    const { value } = plan({ desired, external: [map("b/x")] });
    expect([...(value?.nodes.values() ?? [])][0]).toMatchObject({
      externalDependencies: [{ kind: "ConfigMap", namespace: "b", name: "x" }],
    });
  });
});

describe("what is wrong", () => {
  const cases: readonly (readonly [what: string, given: Case, expected: readonly string[]])[] = [
    [
      "dependencies that are nowhere, pruned, or themselves, all at once",
      {
        desired: [
          map("a/m", on("/namespaces/a/ConfigMap/none")),
          map("a/n", on("/namespaces/a/ConfigMap/old")),
          map("a/o", on("/namespaces/a/ConfigMap/o")),
        ],
        owned: [ours("a/old")],
      },
      [
        "live.invalid-dependency: ConfigMap a/m: it depends on ConfigMap a/none, which is neither in the input nor in the cluster",
        "live.invalid-dependency: ConfigMap a/n: it depends on ConfigMap a/old, which this run prunes",
        "live.invalid-dependency: ConfigMap a/o: its depends-on annotation cannot be used: ConfigMap a/o depends on itself",
      ],
    ],
    [
      "mutations that cannot be read",
      {
        desired: [
          "{",
          "a: b",
          "- 1",
          "- {sourceRef: {kind: K, name: n}}",
          "- {sourceRef: {kind: K, name: n, namspace: a}}",
          "- {sourceref: {kind: K, name: n}}",
          "- {sourceRef: {kind: ConfigMap, name: m6}, sourcePath: $.a, targetPath: $.b}",
        ].map((text, index) =>
          map(`a/m${index}`, { "config.kubernetes.io/apply-time-mutation": text }),
        ),
      },
      [
        "it is no YAML",
        "it is no list",
        "entry 1: it is no mapping",
        "entry 1: it needs sourcePath and targetPath",
        'entry 1: sourceRef: there is no field "namspace"; it has apiVersion, group, kind, name, namespace',
        'entry 1: there is no field "sourceref"; it has sourceRef, sourcePath, targetPath, token',
        "the object is its own source",
      ].map(
        (problem, index) =>
          `live.invalid-mutation: ConfigMap a/m${index}: its apply-time-mutation annotation cannot be used: ${problem}`,
      ),
    ],
    [
      "mutations from what is not there, or is about to go",
      {
        desired: [
          map("a/m", from("{kind: ConfigMap, name: none}")),
          map("a/n", from("{kind: ConfigMap, name: old}")),
          map("a/o", from("{kind: ConfigMap, name: outside}")),
          map("a/p", from("{kind: Namespace, name: a}")),
          map("a/made", {
            ...from("{kind: ConfigMap, name: none}"),
            ...on("/namespaces/a/ConfigMap/o"),
          }),
        ],
        owned: [ours("a/old")],
        external: [map("a/outside"), object("v1 Namespace", "a")],
      },
      [
        "live.invalid-mutation: ConfigMap a/m: its apply-time-mutation annotation takes $.x from ConfigMap a/none, which is neither in the input nor in the cluster",
        "live.invalid-mutation: ConfigMap a/n: its apply-time-mutation annotation takes $.x from ConfigMap a/old, which this run prunes",
      ],
    ],
    [
      "a cycle, edge by edge",
      {
        desired: [
          map("a/m", on("/namespaces/a/ConfigMap/n")),
          map("a/n", on("/namespaces/a/ConfigMap/m")),
        ],
      },
      [
        "live.cycle: 2 objects wait for each other in a circle\nConfigMap a/m waits for ConfigMap a/n: its annotation depends-on names it\nConfigMap a/n waits for ConfigMap a/m: its annotation depends-on names it",
      ],
    ],
  ];
  it("a reference that lacks its namespace is said as it was meant", () => {
    const desired = [map("a/m", on("/ConfigMap/n")), map("a/n")];
    expect(plan({ desired }).hints).toEqual(["it is in a namespace: /namespaces/a/ConfigMap/n"]);
  });
  it("what stays though it is not wished for may be referred to", () => {
    const desired = [
      map("a/m", from("{kind: ConfigMap, name: old}")),
      map("a/n", on("/namespaces/a/ConfigMap/old")),
    ];
    const owned = [ours("a/old")];
    expect(plan({ desired, owned, input: { stays: () => true } }).problems).toEqual([]);
  });
  it.each(cases)("%s", (_what, given, expected) => {
    expect(plan(given).problems).toEqual(expected);
  });
});

describe("what could not be looked for", () => {
  const owned = [ours("a/m")];
  const unchecked = new Map(owned.map((each) => [identityKey(identityOf(each)), "no answer"]));
  const absence = { absent: new Map<string, string>(), unchecked };

  it("is neither pruned nor forgotten", () => {
    const input = { live: new Map<string, KubernetesObject>(), absence };
    expect(actions(plan({ owned, input }).value)).toEqual(["ConfigMap m skip (NotChecked)"]);
  });

  it("stays in a destroy", () => {
    const value = makeDestroyPlan({
      inventory: inventoryOf(owned),
      live: new Map(),
      absence,
      policy: "strict",
    });
    expect(actions(value)).toEqual(["ConfigMap m skip (NotChecked)"]);
  });
});

describe("a destroy", () => {
  it("deletes dependents first and the namespace of the inventory last", () => {
    const owned = [
      ours("default", {}, "v1 Namespace"),
      ours("a/m"),
      ours("a/kept", { "cli-utils.sigs.k8s.io/on-remove": "keep" }),
      ours("a", {}, "v1 Namespace"),
      definition("try.dev", "Bar"),
      ours("a/b", { "cli-utils.sigs.k8s.io/on-remove": "keep" }, "try.dev/v1 Bar"),
    ];
    const value = makeDestroyPlan({
      inventory: inventoryOf(owned),
      live: byKey(owned),
      policy: "strict",
    });
    expect(actions(value)).toEqual([
      "Namespace default delete",
      "ConfigMap m delete",
      "ConfigMap kept keep (KeepAnnotation)",
      "Namespace a skip (NamespaceInUse)",
      "CustomResourceDefinition Bar.try.dev skip (DefinitionInUse)",
      "Bar b keep (KeepAnnotation)",
    ]);
    expect(value.graph.order().at(-1)).toBe("/Namespace//default");
  });
});
