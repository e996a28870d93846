import { kill } from "node:process";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openProviders } from "../../src/providers/index.ts";
import { describeProvider } from "./contract.ts";

const folder = mkdtempSync(join(tmpdir(), "keelson-built-in-"));
const host = openProviders({
  projectFolder: folder,
  environment: { PATH: process.env["PATH"], XDG_STATE_HOME: join(folder, "state") },
});
let count = 0;

afterAll(async () => {
  await host.close();
  await rm(folder, { recursive: true, force: true });
});

describeProvider("local", () => host.provider("keelson"), [
  {
    type: "keelson:local/File",
    inputs: () => ({ path: `files/${count++}.txt`, content: "hello\n" }),
    inPlace: { change: { content: "good bye\n", mode: "0600" }, changes: ["content", "mode"] },
    replaced: { change: { path: "elsewhere.txt" }, replace: ["path"] },
    refused: { change: { content: 3 }, says: "content is 3, not a text" },
    isFound: true,
    isReal: true,
    loseIt: ({ id }) => rm(id),
    stats: [],
  },
  {
    type: "keelson:local/Command",
    inputs: () => ({ command: "echo $WORD; echo oh >&2", environment: { WORD: "hello" } }),
    inPlace: { change: { triggers: [1, { two: 2 }] }, changes: ["triggers"] },
    refused: {
      change: { comand: "ls" },
      says: "comand is not one of its inputs; did you mean command?",
    },
    isFound: false,
    isReal: true,
    stats: [],
  },
  {
    type: "keelson:local/Process",
    inputs: () => ({ command: ["sh", "-c", "echo begun; exec sleep 600"] }),
    inPlace: { change: { environment: { A: "b" } }, changes: ["environment"] },
    refused: { change: { command: [] }, says: "command is a list, not a line for the shell" },
    isFound: true,
    isReal: true,
    loseIt: async ({ id, outputs }) => {
      const provider = await host.provider("keelson");
      kill(Number(outputs["pid"]), "SIGKILL");
      const context = {
        type: "keelson:local/Process",
        name: "",
        signal: AbortSignal.timeout(10_000),
        log: () => {},
      };
      // The kernel takes a moment.
      while ((await provider.read(id, context)) !== undefined);
    },
    logs: { text: "begun" },
    stats: ["cpu", "memory"],
  },
]);

describeProvider("random", () => host.provider("keelson"), [
  {
    type: "keelson:random/Id",
    inputs: () => ({ bytes: 8 }),
    replaced: { change: { bytes: 9 }, replace: ["bytes"] },
    refused: { change: { bytes: 0 }, says: "bytes is 0, not a whole number from 1 to 1024" },
    isFound: false,
    isReal: false,
    stats: [],
  },
  {
    type: "keelson:random/Password",
    inputs: () => ({ length: 20 }),
    replaced: { change: { special: true }, replace: ["special"] },
    refused: { change: { length: "long" }, says: "length is a string, not a whole number" },
    isFound: false,
    isReal: false,
    stats: [],
  },
]);
