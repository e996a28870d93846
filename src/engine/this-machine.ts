import { readFileSync } from "node:fs";
import { safeText } from "../diagnostics/index.ts";
import type { EngineHost } from "./host.ts";

/** The machine and process that the engine runs in. */
export function thisMachine(): EngineHost {
  return {
    workingDirectory: process.cwd(),
    environment: process.env,
    version: ownVersion(),
    stdin: process.stdin,
    pathOf: (input) => input,
    print: (text) => void process.stderr.write(safeText(text)),
  };
}

function ownVersion(): string {
  try {
    const text = readFileSync(new URL("../package.json", import.meta.url), "utf8");
    const { version } = JSON.parse(text) as { readonly version?: unknown };
    return typeof version === "string" ? version : "0.0.0";
  } catch {
    return "0.0.0";
  }
}
