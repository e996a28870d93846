import type { Diagnostic } from "../../../diagnostics/index.ts";
import { decodeText, display, show, type HostCall, type Value } from "../../starlark/index.ts";
import { Blob } from "../values/blob.ts";
import { FastBuildValue } from "../values/tiltfile-values.ts";

/** The parameters of `k8s_resource` before and since workloads are what it names. */
const oldParameters = ["name", "yaml", "image", "port_forwards", "extra_pod_selectors"];
const newParameters = ["workload", "new_name", "port_forwards", "extra_pod_selectors"];

/** A call that means what `k8s_resource` meant formerly: which sign says so, and how to write it. */
export function oldSyntax(call: HostCall): Omit<Diagnostic, "severity" | "source"> | undefined {
  const sign = signOf(call);
  if (sign === undefined) return undefined;
  return {
    code: "tiltfile.old-syntax",
    summary: `k8s_resource is called in its old syntax: ${sign}`,
    detail: `The same in the new syntax:\n${rewritten(call)}`,
    hint: "See docs/tiltfile-migration.md.",
  };
}

function signOf(call: HostCall): string | undefined {
  for (const name of ["image", "yaml", "name"]) {
    if (call.keywords.some((keyword) => keyword.name === name)) {
      return `it has an argument named "${name}"`;
    }
  }
  const newName = argument(call, "new_name", 1);
  const second = call.args.length > 1 ? "its second argument" : "new_name";
  if (newName instanceof Blob) return `${second} is a blob`;
  if (typeof newName === "string") {
    if (newName.includes("\n")) return `${second} has several lines, so it is YAML and no name`;
    if (/\.ya?ml$/.test(newName)) return `${second}, ${show(newName)}, is a file of YAML`;
  }
  const ports = argument(call, "port_forwards", 2);
  const third = call.args.length > 2 ? "its third argument" : "port_forwards";
  if (ports instanceof FastBuildValue) return `${third} is a fast build`;
  if (typeof ports === "string" && ports.includes("/")) {
    return `${third}, ${show(ports)}, is an image and no port`;
  }
  return undefined;
}

function argument(call: HostCall, name: string, index: number): Value | undefined {
  return call.args[index] ?? call.keywords.find((keyword) => keyword.name === name)?.value;
}

function rewritten(call: HostCall): string {
  const given = new Map<string, Value>();
  for (const [index, value] of call.args.entries()) {
    const name = oldParameters[index] ?? newParameters[index];
    if (name !== undefined) given.set(name, value);
  }
  for (const { name, value } of call.keywords) given.set(decodeText(name), value);
  const workload = given.get("name") ?? given.get("workload");
  const yaml = given.get("yaml") ?? misplaced(given, "new_name", isYaml);
  misplaced(given, "port_forwards", isImage);
  const options = [...given].filter(
    ([name]) => !["image", "name", "workload", "yaml"].includes(name),
  );
  const lines = isGiven(yaml) ? [`k8s_yaml(${shownYaml(yaml)})`] : [];
  const named = workload === undefined ? "'…'" : shown(workload);
  const more = options.filter(([, value]) => isGiven(value));
  if (more.length > 0 || lines.length === 0) {
    const rest = more.map(([name, value]) => `, ${name}=${shown(value)}`);
    lines.push(`k8s_resource(${named}${rest.join("")})`);
  }
  return lines.map((line) => `  ${line}`).join("\n");
}

/** Takes an argument out that stands under the name of another. */
function misplaced(
  given: Map<string, Value>,
  name: string,
  is: (value: Value) => boolean,
): Value | undefined {
  const value = given.get(name);
  if (value === undefined || !is(value)) return undefined;
  given.delete(name);
  return value;
}

function isYaml(value: Value): boolean {
  return value instanceof Blob || (typeof value === "string" && /\n|\.ya?ml$/.test(value));
}

function isImage(value: Value): boolean {
  return value instanceof FastBuildValue || (typeof value === "string" && value.includes("/"));
}

function isGiven(value: Value | undefined): value is Exclude<Value, null> {
  return value !== undefined && value !== null && value !== "";
}

function shownYaml(value: Value): string {
  if (value instanceof Blob) return "…";
  return typeof value === "string" && value.includes("\n") ? "blob(…)" : shown(value);
}

function shown(value: Value): string {
  if (typeof value !== "string") return decodeText(show(value));
  const text = decodeText(display(value));
  return /['\\\n]/.test(text) ? decodeText(show(value)) : `'${text}'`;
}
