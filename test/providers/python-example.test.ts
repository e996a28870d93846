import { mkdtempSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openProviders } from "../../src/providers/index.ts";
import { describeProvider } from "./contract.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-python-"));
const store = join(folder, "store.json");
const host = openProviders({
  projectFolder: folder,
  environment: { PATH: process.env["PATH"] },
  packageFolders: [join(import.meta.dirname, "../../examples/python-provider")],
});
let count = 0;

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

describeProvider("Python", () => host.provider("keelson-example-key-value"), [
  {
    type: "keelson-example-key-value:index/Entry",
    inputs: () => ({ file: store, key: `key-${count++}`, value: "hello" }),
    inPlace: { change: { value: "good bye" }, changes: ["value"] },
    replaced: { change: { key: "other" }, replace: ["key"] },
    refused: { change: { value: 3 }, says: "value must be a text" },
    isFound: true,
    isReal: true,
    loseIt: async ({ id }) => {
      const entries = JSON.parse(await readFile(store, "utf8")) as Record<string, unknown>;
      delete entries[id.slice(id.lastIndexOf("#") + 1)];
      await writeFile(store, JSON.stringify(entries));
    },
    logs: { text: "created" },
    stats: ["writes", "size"],
  },
]);
