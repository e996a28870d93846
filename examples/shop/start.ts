/**
 * Brings the shop up: a sandbox, a controller in it, and each part of the shop by the command that its
 * author would type. The last one is `keelson up`, which stays; when it ends, everything does.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const shop = import.meta.dirname;
// In a checkout the package is the checkout itself, elsewhere the one that is installed.
const manifest = fileURLToPath(import.meta.resolve("keelson/package.json"));
const keelson = join(dirname(manifest), "bin/keelson.js");
const longestStartMs = 60_000;

const folder = await mkdtemp(join(tmpdir(), "keelson-shop-"));
const kubeconfig = join(folder, "kubeconfig");
const running: ChildProcess[] = [];
const begun = performance.now();
let isEnding = false;
// `keelson up` hears Ctrl-C itself and ends first; what it stands on ends after it.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(signal, () => {
    isEnding = true;
    running.at(-1)?.kill("SIGINT");
  });
try {
  const data = join(folder, "sandbox");
  stay("sandbox", "serve", "--data", data, "--kubeconfig", kubeconfig, "--allow-processes");
  await until("the sandbox", () => existsSync(kubeconfig));
  await keelsonSays("install", "--definitions-only", "--apply");
  stay("controller", "--lease", "default/shop");
  await keelsonSays("live", "apply", "base");
  await Promise.all([
    keelsonSays("apply", "catalog"),
    keelsonSays("apply", "checkout"),
    keelsonSays("apply", "platform"),
  ]);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`✓ base, catalog, checkout and platform are applied, after ${seconds} s`);
  console.log(`  for kubectl: export KUBECONFIG='${kubeconfig}'\n`);
  if (!isEnding) process.exitCode = await ended(start(["up", "storefront"], "inherit"));
} catch (error) {
  if (!isEnding) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
} finally {
  for (const child of running.toReversed()) {
    child.kill("SIGTERM");
    await ended(child);
  }
  await rm(folder, { recursive: true, force: true });
}

function start(args: readonly string[], stdio: "inherit" | "pipe"): ChildProcess {
  const child = spawn(process.execPath, [keelson, ...args], {
    cwd: shop,
    env: { ...process.env, KUBECONFIG: kubeconfig },
    stdio: [stdio === "inherit" ? "inherit" : "ignore", stdio, stdio],
    // A Ctrl-C on the terminal reaches only what is shown on it.
    detached: stdio === "pipe",
  });
  running.push(child);
  return child;
}

/** Starts something that runs until the end; ending before is a failure. */
function stay(...args: readonly string[]): void {
  const child = start(args, "pipe");
  let told = "";
  child.stdout?.on("data", () => undefined);
  child.stderr?.on("data", (chunk) => (told = String(chunk)));
  child.once("exit", (code) => {
    if (code !== 0 && !isEnding) console.error(`keelson ${args[0]} ended with ${code}: ${told}`);
  });
}

/** Runs a command to its end, and shows what it says only if it fails. */
async function keelsonSays(...args: readonly string[]): Promise<void> {
  const child = start(args, "pipe");
  let told = "";
  child.stdout?.on("data", (chunk) => (told += String(chunk)));
  child.stderr?.on("data", (chunk) => (told += String(chunk)));
  const code = await ended(child);
  running.splice(running.indexOf(child), 1);
  if (code !== 0) throw new Error(`keelson ${args.join(" ")} ended with ${code}:\n${told}`);
}

function ended(child: ChildProcess): Promise<number> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve(child.exitCode ?? 0);
  return new Promise((resolve) => {
    child.once("exit", (code) => {
      resolve(code ?? 0);
    });
  });
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + longestStartMs;
  while (!isSo()) {
    if (performance.now() > deadline || isEnding) throw new Error(`${what} does not start`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
