/** Runs Tiltfiles given as text, with the files that they name, in a directory of their own. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { Component } from "../../src/assembly/index.ts";
import { formatPosition, type Diagnostic } from "../../src/diagnostics/index.ts";
import {
  assembleTiltfile,
  loadTiltfile,
  type LoadTiltfileOptions,
  type TiltfileResult,
} from "../../src/sources/tiltfile/index.ts";

/** Contents by path; what is not given is the Tiltfile. */
export type Files = Readonly<Record<string, string>>;

export interface Ran {
  readonly result: TiltfileResult;
  readonly folder: string;
  /** What was printed and what is wrong, a line each: `text`, `code at place: summary`. */
  readonly said: readonly string[];
}

export function makeFolder(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "keelson-tiltfile-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

export function runTiltfile(
  text: string,
  files: Files = {},
  options: Partial<LoadTiltfileOptions> = {},
): Ran {
  const folder = makeFolder({ Tiltfile: text, ...files });
  const result = loadTiltfile({
    path: "Tiltfile",
    workingDirectory: folder,
    environment: { PATH: process.env["PATH"] ?? "", HOME: folder },
    ...options,
  });
  const printed = result.output.filter(({ kind }) => kind === "print").map((line) => line.text);
  const hide = (line: string): string => line.replaceAll(folder, "/folder");
  return {
    result,
    folder,
    said: [...printed, ...result.diagnostics.map(oneLine)].map(hide),
  };
}

export interface RanComponents extends Ran {
  readonly components: readonly Component[];
  /** `name: kind, objects…` of each component, then what is wrong. */
  readonly shown: readonly string[];
}

export function runToComponents(
  text: string,
  files: Files = {},
  options: Partial<LoadTiltfileOptions> = {},
): RanComponents {
  const ran = runTiltfile(text, files, options);
  const assembled = assembleTiltfile(ran.result, { namespace: "default" });
  const problems = assembled.diagnostics.map(oneLine);
  const isWrong = assembled.diagnostics.some(({ severity }) => severity === "error");
  const shown = isWrong ? [] : assembled.components.map(showComponent);
  return { ...ran, components: assembled.components, shown: [...shown, ...problems] };
}

function showComponent({ name, objects, kind }: Component): string {
  const members = objects.map(({ object }) => `${object.kind}/${object.metadata.name ?? ""}`);
  return `${name}: ${[kind, ...members].join(" ")}`;
}

export function oneLine({ code, severity, summary, source }: Diagnostic): string {
  const place = source === undefined ? "" : ` at ${formatPosition(source)}`;
  return `${severity === "warning" ? "warning " : ""}${code}${place}: ${summary}`;
}

/** A workload of a kind, as small as it may be. */
export function workload(
  kind: string,
  name: string,
  more: { readonly namespace?: string; readonly image?: string; readonly app?: string } = {},
): string {
  const group = kind === "CronJob" || kind === "Job" ? "batch/v1" : "apps/v1";
  const app = more.app ?? name;
  const place = more.namespace === undefined ? "" : `, namespace: ${more.namespace}`;
  const pod = `{metadata: {labels: {app: ${app}}}, spec: {containers: [{name: main, image: ${more.image ?? name}}]}}`;
  const spec =
    kind === "CronJob"
      ? `{schedule: "* * * * *", jobTemplate: {spec: {template: ${pod}}}}`
      : `{selector: {matchLabels: {app: ${app}}}, template: ${pod}}`;
  return `apiVersion: ${group}\nkind: ${kind}\nmetadata: {name: ${name}${place}}\nspec: ${spec}\n`;
}

export function service(name: string, app = name): string {
  return `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {selector: {app: ${app}}, ports: [{port: 80}]}\n`;
}

export function yaml(...objects: readonly string[]): string {
  return objects.join("---\n");
}
