import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { DiagnosticError, renderDiagnostics } from "../../src/diagnostics/index.ts";
import { openProviders, type ProviderHost } from "../../src/providers/index.ts";

const good =
  'export default { create: async (inputs) => ({ id: "x", outputs: inputs }), read: async () => undefined, update: async () => ({}), delete: async () => {} };';
const declared = (name: string, provider: unknown): string =>
  JSON.stringify({ name, type: "module", keelson: { provider } });

type Files = Readonly<Record<string, string>>;

function project(files: Files): string {
  const folder = mkdtempSync(join(tmpdir(), "keelson-finding-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

function open(
  folder: string,
  packageFolders: readonly string[] = [],
  loadMs = 60_000,
): ProviderHost {
  const host = openProviders({
    projectFolder: join(folder, "app"),
    environment: { PATH: process.env["PATH"] },
    packageFolders,
    timeouts: { load: loadMs },
  });
  onTestFinished(() => host.close());
  return host;
}

interface FindingCase {
  readonly title: string;
  readonly files: Files;
  readonly packageName?: string;
  readonly packageFolders?: readonly string[];
  readonly loadMs?: number;
  readonly sees: string;
}

const found: readonly Omit<FindingCase, "sees">[] = [
  {
    title: "in node_modules of the project",
    files: {
      "app/node_modules/s3/package.json": declared("s3", "./provider.js"),
      "app/node_modules/s3/provider.js": good,
    },
  },
  {
    title: "in node_modules of a folder above",
    files: {
      "node_modules/s3/package.json": declared("s3", "provider.js"),
      "node_modules/s3/provider.js": good,
    },
  },
  {
    title: "with a scope",
    packageName: "@cloud/s3",
    files: {
      "app/node_modules/@cloud/s3/package.json": declared("@cloud/s3", "./provider.js"),
      "app/node_modules/@cloud/s3/provider.js": good,
    },
  },
  {
    title: "as a path",
    packageName: "./s3",
    files: {
      "app/s3/package.json": declared("s3", "./provider.ts"),
      "app/s3/provider.ts": good,
    },
  },
  {
    title: "by the name of a folder that the program uses",
    packageFolders: ["./s3"],
    files: {
      "app/s3/package.json": declared("s3", "./provider.js"),
      "app/s3/provider.js": good,
    },
  },
  {
    title: "as the project itself",
    files: { "app/package.json": declared("s3", "./provider.js"), "app/provider.js": good },
  },
  {
    title: "where a package of the same name has none",
    packageFolders: ["./s3"],
    files: {
      "app/s3/package.json": '{ "name": "s3" }',
      "app/node_modules/s3/package.json": declared("s3", "./provider.js"),
      "app/node_modules/s3/provider.js": good,
    },
  },
];

const refused: readonly FindingCase[] = [
  {
    title: "no such package",
    files: { "app/package.json": '{ "name": "app" }' },
    sees: `error[provider.unknown-package]: the package "s3", whose provider is needed, was not found
  looked for its package.json in
    /app
    /app/node_modules/s3
    /node_modules/s3
  hint: npm install s3`,
  },
  {
    title: "no package at a path",
    files: {},
    packageName: "./s3",
    sees: `error[provider.unknown-package]: there is no package at "./s3"
  looked for /app/s3/package.json
  hint: check the path; it is relative to the project`,
  },
  {
    title: "no provider in the package",
    files: { "app/node_modules/s3/package.json": '{ "name": "s3" }' },
    sees: `error[provider.not-declared]: the package "s3" has no provider
  looked for keelson.provider in /app/node_modules/s3/package.json
  hint: add "keelson": { "provider": "./provider.js" } to it`,
  },
  {
    title: "a package.json that is no JSON",
    files: { "app/node_modules/s3/package.json": "{" },
    sees: `error[provider.invalid-declaration]: /app/node_modules/s3/package.json is not valid JSON: Expected property name or '}' in JSON at position 1 (line 1 column 2)`,
  },
  {
    title: "a declaration of the wrong kind",
    files: { "app/node_modules/s3/package.json": declared("s3", 7) },
    sees: `error[provider.invalid-declaration]: keelson.provider in /app/node_modules/s3/package.json is a number
  hint: write "./provider.js", or { "command": ["python3", "provider.py"] }`,
  },
  {
    title: "a command that is a text",
    files: { "app/node_modules/s3/package.json": declared("s3", { command: "python3 x.py" }) },
    sees: `error[provider.invalid-declaration]: keelson.provider in /app/node_modules/s3/package.json is an object whose command is a string
  hint: write "./provider.js", or { "command": ["python3", "provider.py"] }`,
  },
  {
    title: "two providers of one name",
    packageFolders: ["./s3"],
    files: {
      "app/s3/package.json": declared("s3", "./provider.js"),
      "app/node_modules/s3/package.json": declared("s3", "./provider.js"),
    },
    sees: `error[provider.ambiguous]: there are 2 providers of the package "s3"
    /app/s3
    /app/node_modules/s3
  hint: remove or rename all but one`,
  },
  {
    title: "another provider called keelson",
    packageName: "keelson",
    files: { "app/package.json": declared("keelson", "./provider.js") },
    sees: `error[provider.ambiguous]: there are 2 providers of the package "keelson"
    the provider that is part of Keelson
    /app
  hint: remove or rename all but one`,
  },
  {
    title: "a module that is missing",
    files: { "app/node_modules/s3/package.json": declared("s3", "./provider.js") },
    sees: `error[provider.not-loaded]: the provider of the package "s3" is missing
  looked for /app/node_modules/s3/provider.js, which /app/node_modules/s3/package.json names`,
  },
  {
    title: "a module that throws",
    files: {
      "app/node_modules/s3/package.json": declared("s3", "./provider.js"),
      "app/node_modules/s3/provider.js": 'throw new Error("no credentials");',
    },
    sees: `error[provider.not-loaded]: loading the provider of the package "s3" failed: no credentials
  /app/node_modules/s3/provider.js`,
  },
  {
    title: "a program that is declared as a module",
    files: {
      "app/node_modules/s3/package.json": declared("s3", "./provider.py"),
      "app/node_modules/s3/provider.py": "raise SystemExit(0)",
    },
    sees: `error[provider.not-loaded]: loading the provider of the package "s3" failed: Unknown file extension ".py" for /app/node_modules/s3/provider.py
  /app/node_modules/s3/provider.py
  hint: If it is no module but a program, say how it is started: "provider": { "command": ["…", "./provider.py"] }`,
  },
  {
    title: "a module that is never loaded",
    loadMs: 100,
    files: {
      "app/node_modules/s3/package.json": declared("s3", "./provider.js"),
      "app/node_modules/s3/provider.js":
        "await new Promise(() => setInterval(() => {}, 1000).unref());",
    },
    sees: `error[provider.not-loaded]: loading the provider of the package "s3" failed: it was not loaded within 100 ms
  /app/node_modules/s3/provider.js`,
  },
  {
    title: "no default export",
    files: {
      "app/node_modules/s3/package.json": declared("s3", "./provider.js"),
      "app/node_modules/s3/provider.js": "export const provider = {};",
    },
    sees: `error[provider.invalid]: the provider of the package "s3" is not one
  looked at the default export of /app/node_modules/s3/provider.js
  found nothing, not an object of operations
  hint: its default export must be an object with the functions create, read, update, delete; check, diff, find, fetchLog, fetchStats are optional`,
  },
  {
    title: "missing operations and such of the wrong kind",
    files: {
      "app/node_modules/s3/package.json": declared("s3", "./provider.js"),
      "app/node_modules/s3/provider.js":
        "export default { create: async () => {}, read: true, update: () => {}, diff: {} };",
    },
    sees: `error[provider.invalid]: the provider of the package "s3" is not one
  looked at the default export of /app/node_modules/s3/provider.js
  missing: delete
  read is a boolean, not a function
  diff is an object, not a function
  hint: its default export must be an object with the functions create, read, update, delete; check, diff, find, fetchLog, fetchStats are optional`,
  },
  {
    title: "a command that is not there",
    files: { "app/node_modules/s3/package.json": declared("s3", { command: ["no-such-program"] }) },
    sees: `error[provider.not-started]: the provider of the package "s3" could not be started: no-such-program: spawn no-such-program ENOENT
  no-such-program in /app/node_modules/s3
  hint: it must answer the call "operations" with the list of what it can do`,
  },
  {
    title: "a command that ends at once",
    files: {
      "app/node_modules/s3/package.json": declared("s3", {
        command: ["sh", "-c", "echo no licence >&2; exit 9"],
      }),
    },
    sees: `error[provider.not-started]: the provider of the package "s3" ended with exit code 9
  sh -c echo no licence >&2; exit 9 in /app/node_modules/s3
  | no licence
  hint: it must answer the call "operations" with the list of what it can do`,
  },
  {
    title: "a command that does not speak the protocol",
    loadMs: 2_000,
    files: {
      "app/node_modules/s3/package.json": declared("s3", {
        command: ["sh", "-c", "echo Welcome; cat >/dev/null"],
      }),
    },
    sees: `error[provider.not-started]: the provider of the package "s3" did not say what it can do within 2 seconds
  sh -c echo Welcome; cat >/dev/null in /app/node_modules/s3
  | Welcome
  hint: it must answer the call "operations" with the list of what it can do`,
  },
  {
    title: "a command that lacks operations",
    files: {
      "app/node_modules/s3/package.json": declared("s3", {
        command: [
          "sh",
          "-c",
          `read line; echo '{"jsonrpc":"2.0","id":1,"result":["create","read","fly"]}'; cat`,
        ],
      }),
    },
    sees: `error[provider.invalid]: the provider of the package "s3" is not one
  asked sh -c read line; echo '{"jsonrpc":"2.0","id":1,"result":["create","read","fly"]}'; cat in /app/node_modules/s3 for its operations
  missing: update, delete
  unknown: "fly"
  hint: operations are create, read, update, delete, check, diff, find, fetchLog, fetchStats`,
  },
];

describe("a provider is found", () => {
  it.each(found)("$title", async ({ files, packageName = "s3", packageFolders }) => {
    const provider = await open(project(files), packageFolders).provider(packageName);
    const context = { type: "s3:index/Bucket", name: "b", signal: AbortSignal.any([]), log() {} };
    expect(await provider.create({ a: 1 }, context)).toEqual({ id: "x", outputs: { a: 1 } });
    expect(provider.diff).toBe(undefined);
  });

  it("once, however often it is asked for", async () => {
    const host = open(project({ "app/package.json": declared("s3", "./p.js"), "app/p.js": good }));
    expect(await host.provider("s3")).toBe(await host.provider("s3"));
  });

  it("not when the command is interrupted while it starts", async () => {
    const folder = project({
      "app/package.json": declared("s3", { command: ["sh", "-c", "cat >/dev/null"] }),
    });
    const controller = new AbortController();
    const host = openProviders({
      projectFolder: join(folder, "app"),
      environment: { PATH: process.env["PATH"] },
      signal: controller.signal,
    });
    onTestFinished(() => host.close());
    const opening = host.provider("s3");
    controller.abort();
    await expect(opening).rejects.toThrow(
      'the provider of the package "s3" was interrupted while it started',
    );
  });

  it("not any more when the host is closed", async () => {
    const host = open(project({}));
    await host.close();
    await expect(host.provider("s3")).rejects.toThrow(
      'the provider of the package "s3" is needed, and the command is ending',
    );
  });
});

describe("a provider is not found", () => {
  it.each(refused)(
    "$title",
    async ({ files, packageName = "s3", packageFolders, loadMs, sees }) => {
      const folder = project(files);
      const error: unknown = await open(folder, packageFolders, loadMs)
        .provider(packageName)
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DiagnosticError);
      const text = renderDiagnostics((error as DiagnosticError).diagnostics);
      expect(withoutMachine(text, folder)).toBe(sees);
    },
  );
});

/** Paths as in the project, and none of the folders above it, which differ between machines. */
function withoutMachine(text: string, folder: string): string {
  const lines = text.split("\n").map((line) => line.replaceAll(folder, "<project>"));
  return lines
    .filter((line) => !/^ {4}\/.*node_modules/.test(line))
    .join("\n")
    .replaceAll("<project>", "");
}
