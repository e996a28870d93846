/** Writes parts in the languages of the ways in. */
import { stringify } from "yaml";
import { groupOf, type KubernetesObject } from "../../../src/objects/index.ts";
import { contractGroup, type Part } from "../parts.ts";

/** YAML: order and holes are annotations. */
export function yamlText(parts: readonly Part[], namespace: string): string {
  return parts.map((part) => `${stringify(annotated(part, parts, namespace))}---\n`).join("");
}

function annotated(part: Part, parts: readonly Part[], namespace: string): KubernetesObject {
  const { object, after = [], takes } = part;
  const references = after.map((name) => {
    const { apiVersion, kind } = named(parts, name).object;
    return `${groupOf(apiVersion)}/namespaces/${namespace}/${kind}/${name}`;
  });
  const annotations = {
    ...object.metadata.annotations,
    ...(references.length === 0 ? {} : { "config.kubernetes.io/depends-on": references.join(",") }),
    ...(takes === undefined ? {} : { "config.kubernetes.io/apply-time-mutation": mutation() }),
  };
  return Object.keys(annotations).length === 0
    ? object
    : { ...object, metadata: { ...object.metadata, annotations } };

  function mutation(): string {
    const { from = "", path = "", into = "" } = takes ?? {};
    const { apiVersion, kind } = named(parts, from).object;
    return stringify([
      {
        sourceRef: { group: groupOf(apiVersion), kind, name: from },
        sourcePath: `$.${path}`,
        targetPath: `$.${into}`,
      },
    ]);
  }
}

/** A program: order is an option, a hole is the field of another resource. */
export function programText(parts: readonly Part[]): string {
  const written = ordered(parts).map((part) => {
    const { name, object, after = [], takes, ignores } = part;
    const { apiVersion, kind, ...fields } = object;
    const filled =
      takes === undefined
        ? JSON.stringify(fields)
        : JSON.stringify(withValue(fields, takes.into, "@hole@")).replace(
            '"@hole@"',
            `${variable(takes.from)}.${takes.path}`,
          );
    const options = [
      ...(after.length === 0 ? [] : [`dependsOn: [${after.map(variable).join(", ")}]`]),
      ...(ignores === undefined ? [] : [`ignoreChanges: ${JSON.stringify(ignores)}`]),
    ];
    const make = `new (k8s.kind("${apiVersion}", "${kind}"))`;
    return `const ${variable(name)} = ${make}("${name}", ${filled}, { ${options.join(", ")} });\n`;
  });
  return `import { k8s } from "keelson";\n${written.join("")}`;
}

const variable = (name: string): string => `part_${name.replaceAll("-", "_")}`;

/**
 * A bundle: order is dependsOn, a hole is a reference. An even revision differs from an odd one in nothing
 * that matters, so that the status shows which one it is about.
 */
export function bundleObject(name: string, parts: readonly Part[], revision = 1): KubernetesObject {
  const resources = parts.map(({ name: resource, object, after = [], takes }) => ({
    name: resource,
    ...(after.length === 0 && revision % 2 === 1 ? {} : { dependsOn: [...after] }),
    ...(takes === undefined
      ? {}
      : { references: [{ name: "value", resource: takes.from, path: takes.path }] }),
    spec: {
      object: takes === undefined ? object : withValue(object, takes.into, "!{value}"),
    },
  }));
  return {
    apiVersion: "smith.atlassian.com/v1",
    kind: "Bundle",
    metadata: { name },
    spec: { resources },
  };
}

/**
 * A supply chain: order and holes are what one step takes of another. A step waits for a value, not for
 * readiness; of a kind that the contract judges by its phase that is the phase.
 */
export function supplyChainObjects(
  chain: string,
  parts: readonly Part[],
): readonly KubernetesObject[] {
  const apiVersion = "kontinue.io/v1alpha1";
  const paths = new Map(
    parts.flatMap(({ after = [], takes }) => [
      ...after.map((name) => [name, orderPath(named(parts, name))] as const),
      ...(takes === undefined ? [] : [[takes.from, takes.path] as const]),
    ]),
  );
  const kindOf = (name: string): string =>
    paths.has(name) ? "ClusterConfigTemplate" : "ClusterTemplate";
  const templates = parts.map(({ name, object, takes }) => ({
    apiVersion,
    kind: kindOf(name),
    metadata: { name: `${chain}-${name}` },
    spec: {
      ...(paths.has(name) ? { configPath: `.${paths.get(name) ?? ""}` } : {}),
      template:
        takes === undefined
          ? object
          : withValue(object, takes.into, `$(configs['${takes.from}'].config)$`),
    },
  }));
  const resources = parts.map(({ name, after = [], takes }) => {
    const taken = [...new Set([...after, ...(takes === undefined ? [] : [takes.from])])];
    return {
      name,
      templateRef: { kind: kindOf(name), name: `${chain}-${name}` },
      ...(taken.length === 0
        ? {}
        : { configs: taken.map((resource) => ({ name: resource, resource })) }),
    };
  });
  return [
    ...templates,
    {
      apiVersion,
      kind: "ClusterSupplyChain",
      metadata: { name: chain },
      spec: { selector: { contract: chain }, resources },
    },
  ];
}

function orderPath({ object: { apiVersion } }: Part): string {
  return groupOf(apiVersion) === contractGroup ? "status.phase" : "metadata.name";
}

function named(parts: readonly Part[], name: string): Part {
  const found = parts.find((part) => part.name === name);
  if (found === undefined) throw new Error(`there is no part ${name}`);
  return found;
}

/** Those that others need come first: a variable must be there before it is used. */
function ordered(parts: readonly Part[]): readonly Part[] {
  const done = new Set<Part>();
  const visit = (part: Part): void => {
    if (done.has(part)) return;
    for (const name of [
      ...(part.after ?? []),
      ...(part.takes === undefined ? [] : [part.takes.from]),
    ])
      visit(named(parts, name));
    done.add(part);
  };
  for (const part of parts) visit(part);
  return [...done];
}

/** An object with a text at a path of two fields: `data.url`. */
function withValue<T extends object>(object: T, path: string, value: string): T {
  const [first = "", second = ""] = path.split(".");
  const inner = (object as Readonly<Record<string, object | undefined>>)[first];
  return { ...object, [first]: { ...inner, [second]: value } };
}
