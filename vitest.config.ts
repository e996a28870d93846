import { availableParallelism } from "node:os";
import { join } from "node:path";
import {
  defineConfig,
  type TestProjectConfiguration,
  type TestProjectInlineConfiguration,
} from "vitest/config";
import { goAdvice, hasBinaries } from "./test/cluster/binaries.ts";
import { findGo } from "./test/cluster/go-toolchain.ts";
import { hasCommandLineTools } from "./test/cluster/kubectl.ts";
import { canHaveBuildah } from "./test/images/ensure-buildah.ts";
import { hasOracle } from "./test/starlark/oracle.ts";
import { kubectlTests } from "./test/kubectl-tests.ts";

// Worker threads of programs load our sources; compiled once is enough.
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

// A busy machine is no failure; what hangs still ends. Files share their worker's modules: loading
// them anew for each file takes longer than the tests.
const shared: TestProjectInlineConfiguration["test"] = {
  setupFiles: ["test/test-seed.ts"],
  isolate: false,
  expect: { poll: { timeout: 60_000, interval: 20 } },
  testTimeout: 120_000,
  hookTimeout: 120_000,
};

/** Our own code as functions: no processes, no clusters. */
const pure: TestProjectConfiguration = {
  test: {
    ...shared,
    name: "pure",
    include: ["{src,web/src}/**/*.test.ts", "test/repository/**/*.test.ts"],
  },
};

/** What spans folders, on the sandbox. */
const unit: TestProjectConfiguration = {
  test: {
    ...shared,
    name: "unit",
    globalSetup: ["test/built-package.ts"],
    include: [
      "test/{cli,sandbox,live,faults,tiltfile,programs,providers,controller,blueprints,devloop,engine,contract,release}/**/*.test.ts",
    ],
    exclude: ["test/sandbox/*-differential.test.ts", ...kubectlTests],
  },
};

/** The same with real kubectl and helm beside it. */
const kubectl: TestProjectConfiguration = {
  test: {
    ...shared,
    name: "kubectl",
    include: [...kubectlTests],
    globalSetup: ["test/built-package.ts", "test/cluster/kubectl.ts"],
  },
};

/** What users install, on a terminal: the packed tarball, the README, the guides and the examples. */
const installed: TestProjectConfiguration = {
  test: {
    name: "installed",
    include: ["test/installed/**/*.test.ts"],
    globalSetup: ["test/cluster/kubectl.ts", "test/installed/install-package.ts"],
    // Pages mostly wait: for npm, for kubectl, for something to be ready.
    maxConcurrency: 3,
    // A page has many commands, each of which has its own limit.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
};

const cluster: TestProjectConfiguration = {
  test: {
    ...shared,
    name: "cluster",
    // After all others: its servers go on tidying up long after the last test, until they are stopped.
    sequence: { groupOrder: 1 },
    include: [
      "test/{cluster,conformance,corpus}/**/*.test.ts",
      "test/sandbox/*-differential.test.ts",
    ],
    globalSetup: [
      "test/built-package.ts",
      "test/cluster/kubectl.ts",
      "test/cluster/global-setup.ts",
    ],
  },
};

const browser: TestProjectConfiguration = {
  test: {
    ...shared,
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/browser/build-page.ts"],
  },
};

const images: TestProjectConfiguration = {
  test: {
    ...shared,
    name: "images",
    include: ["test/images/**/*.test.ts"],
    globalSetup: ["test/built-package.ts", "test/images/ensure-buildah.ts"],
    hookTimeout: 300_000,
  },
};

const starlark: TestProjectConfiguration = {
  test: {
    ...shared,
    name: "starlark",
    include: ["test/starlark/**/*.test.ts"],
    hookTimeout: 300_000,
  },
};

/** With CI=true a part that cannot be had is a failure, which its own set-up reports. */
function projects(): TestProjectConfiguration[] {
  const isCi = (process.env["CI"] ?? "") !== "";
  const canBuild = isCi || findGo() !== undefined;
  const hasCluster = (process.env["KEELSON_TEST_KUBECONFIG"] ?? "") !== "";
  const chosen = [pure, unit, browser];
  const left: string[] = [];
  const add = (project: TestProjectConfiguration, can: boolean, what: string): void => {
    if (can) chosen.push(project);
    else left.push(what);
  };
  add(
    installed,
    canBuild || hasCommandLineTools(),
    "the installed package beside kubectl and helm",
  );
  add(kubectl, canBuild || hasCommandLineTools(), "kubectl and helm");
  add(starlark, canBuild || hasOracle(), "go.starlark.net");
  add(cluster, canBuild || hasBinaries() || hasCluster, "a real control plane");
  if (left.length > 0) {
    console.log(`Left out for want of Go: the tests with ${left.join(", ")}. ${goAdvice}`);
  }
  if (isCi || canHaveBuildah()) chosen.push(images);
  else console.log("Left out for want of buildah: real builds of images.");
  return chosen;
}

// Many tests wait for something: one more than there are cores keeps them busy.
const maxWorkers = Math.min(8, availableParallelism() + 1);

export default defineConfig({
  test: {
    reporters: ["default", "./test/count-reporter.ts"],
    projects: projects(),
    maxWorkers,
    // Modules are loaded as they are for users, by Node itself.
    experimental: { viteModuleRunner: false, nodeLoader: false },
  },
});
