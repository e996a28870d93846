import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type {
  Directive,
  Link,
  PortForward,
  TriggerMode,
  WorkloadId,
} from "../../assembly/index.ts";
import { DiagnosticError, fail, type SourceRange } from "../../diagnostics/index.ts";
import { readObjectsFromText, type SourcedObject } from "../../objects/index.ts";
import { construct, k8s, type Resource } from "../../resources/index.ts";
import {
  helmTemplate,
  type HelmTemplateOptions,
  type Hydrated,
  type HydrateTools,
  kustomizeBuild,
  localFiles,
  runProcess,
} from "../hydrate/index.ts";

/** What the functions below need to know of the program that calls them. */
export interface InputSettings {
  /** Where relative paths start. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly currentPlace: () => SourceRange | undefined;
}

/** Options of the component that a workload is. */
export interface WorkloadOptions {
  readonly name?: string;
  readonly portForwards?: readonly (number | PortForward)[];
  readonly dependsOn?: readonly string[];
  readonly objects?: readonly string[];
  readonly links?: readonly (string | Link)[];
  readonly labels?: readonly string[];
  readonly triggerMode?: TriggerMode;
}

let settings: InputSettings | undefined;
const directives: Directive[] = [];
const files = new Set<string>();

/** Prepares for one evaluation; a worker has no other. */
export function beginInputs(given: InputSettings): void {
  settings = given;
}

/** What the program said about its workloads, and the files that it read. */
export function takeInputs(): {
  readonly directives: readonly Directive[];
  readonly files: readonly string[];
} {
  return { directives: [...directives], files: [...files] };
}

/** The objects in files, in directories, or in texts of more than one line, each as a resource. */
export function yaml(...inputs: readonly string[]): readonly Resource[] {
  return inputs.flatMap((input) =>
    input.includes("\n")
      ? allocateAll("yaml", readText("yaml(…)", input))
      : filesOf(resolve(current().folder, input)).flatMap((file) => {
          files.add(file);
          return allocateAll("yaml", readText(file, readFileSync(file, "utf8")));
        }),
  );
}

/** The objects of a chart, as `helm template` renders it. */
export function helm(
  chart: string,
  options: Omit<HelmTemplateOptions, "chart"> = {},
): readonly Resource[] {
  return hydrated(
    "helm",
    `helm(${JSON.stringify(chart)})`,
    helmTemplate({ ...options, chart }, tools()),
  );
}

/** The objects of a kustomization. */
export function kustomize(
  directory: string,
  options: { readonly flags?: readonly string[] } = {},
): readonly Resource[] {
  const name = `kustomize(${JSON.stringify(directory)})`;
  return hydrated("kustomize", name, kustomizeBuild({ ...options, directory }, tools()));
}

/** Sets options of the component of a workload, which an identifier like `web:deployment` names. */
export function workload(identifier: string, options: WorkloadOptions = {}): void {
  const { name, portForwards, links, ...rest } = options;
  const source = current().currentPlace();
  directives.push({
    kind: "component",
    workload: identifier,
    ...rest,
    ...(name === undefined ? {} : { newName: name }),
    ...(portForwards === undefined
      ? {}
      : {
          portForwards: portForwards.map((port) =>
            typeof port === "number" ? { localPort: port, containerPort: port } : port,
          ),
        }),
    ...(links === undefined
      ? {}
      : { links: links.map((link) => (typeof link === "string" ? { url: link } : link)) }),
    ...(source === undefined ? {} : { source }),
  });
}

/** Gives every workload its name. */
export function nameWorkloads(nameOf: (workload: WorkloadId) => string): void {
  const source = current().currentPlace();
  directives.push({
    kind: "name-workloads",
    nameOf,
    ...(source === undefined ? {} : { source }),
  });
}

function current(): InputSettings {
  if (settings === undefined) throw new Error("this is for programs that keelson evaluates");
  return settings;
}

function tools(): HydrateTools {
  const { folder, environment } = current();
  return { directory: folder, environment, files: localFiles, run: runProcess };
}

function hydrated(module: string, name: string, result: Hydrated): readonly Resource[] {
  if (result.diagnostics.some(({ severity }) => severity === "error")) {
    const source = current().currentPlace();
    throw new DiagnosticError(result.diagnostics.map((each) => ({ source, ...each })));
  }
  for (const input of result.inputs) files.add(input);
  return allocateAll(module, readText(name, result.yaml ?? ""));
}

function readText(name: string, text: string): readonly SourcedObject[] {
  const { objects, diagnostics } = readObjectsFromText(name, text);
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(diagnostics);
  return objects;
}

/** Each object becomes a resource of its kind, with its own name as the id. */
function allocateAll(module: string, objects: readonly SourcedObject[]): readonly Resource[] {
  const place = current().currentPlace();
  return objects.map(({ object, file }) => {
    const { apiVersion, kind, status: _status, ...props } = object;
    const { namespace, name = "" } = object.metadata;
    const id = [...(namespace === undefined ? [] : [namespace]), name]
      .join(".")
      .replaceAll(/[^A-Za-z0-9._-]/g, "_");
    const site = {
      module: `keelson:${module}`,
      class: undefined,
      file: place?.file ?? file,
      line: place?.start.line ?? 1,
      column: place?.start.column ?? 1,
    };
    return construct(k8s.kind(apiVersion, kind), [id, props], site) as Resource;
  });
}

const extensions = /\.(?:ya?ml|json)$/;

function filesOf(path: string): readonly string[] {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    return fail({
      code: "objects.file-missing",
      summary: `${path} does not exist`,
      source: current().currentPlace(),
    });
  }
  if (!found.isDirectory()) return [path];
  return readdirSync(path, { recursive: true, encoding: "utf8" })
    .filter((name) => extensions.test(name) && !/(?:^|\/)(?:\.|node_modules\/)/.test(name))
    .sort()
    .map((name) => join(path, name))
    .filter((file) => statSync(file).isFile());
}
