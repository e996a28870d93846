import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { canHaveBinaries } from "./test/cluster/binaries.ts";
import { canHaveBuildah } from "./test/images/ensure-buildah.ts";
import { canHaveOracle } from "./test/starlark/oracle.ts";

const unit: TestProjectConfiguration = {
  test: {
    name: "unit",
    setupFiles: ["test/test-seed.ts"],
    include: [
      "src/**/*.test.ts",
      "test/{repository,cli,sandbox,live,faults,tiltfile,programs,providers,controller,blueprints,devloop}/**/*.test.ts",
    ],
    exclude: ["test/sandbox/*-differential.test.ts"],
    // A busy machine is no failure; what hangs still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
};

/** What users install, on a terminal: the packed tarball, the README, the guides and the examples. */
const installed: TestProjectConfiguration = {
  test: {
    name: "installed",
    include: ["test/installed/**/*.test.ts"],
    globalSetup: ["test/installed/install-package.ts"],
    // Pages mostly wait: for npm, for kubectl, for something to be ready.
    maxConcurrency: 3,
    // A page has many commands, each of which has its own limit.
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
};

const cluster: TestProjectConfiguration = {
  test: {
    name: "cluster",
    setupFiles: ["test/test-seed.ts"],
    include: ["test/{cluster,conformance}/**/*.test.ts", "test/sandbox/*-differential.test.ts"],
    globalSetup: ["test/cluster/global-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

const browser: TestProjectConfiguration = {
  test: {
    name: "browser",
    include: ["test/browser/**/*.test.ts"],
    globalSetup: ["test/browser/build-page.ts"],
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
};

const images: TestProjectConfiguration = {
  test: {
    name: "images",
    include: ["test/images/**/*.test.ts"],
    globalSetup: ["test/images/ensure-buildah.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
};

const starlark: TestProjectConfiguration = {
  test: {
    name: "starlark",
    setupFiles: ["test/test-seed.ts"],
    include: ["test/starlark/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
};

/** With CI=true the missing control plane is a failure, which its own set-up reports. */
function projects(): TestProjectConfiguration[] {
  const isCi = (process.env["CI"] ?? "") !== "";
  const hasCluster = (process.env["KEELSON_TEST_KUBECONFIG"] ?? "") !== "";
  const chosen = [unit, installed, browser];
  if (isCi || canHaveOracle()) chosen.push(starlark);
  else
    console.log("The comparison with go.starlark.net is left out: it needs Go 1.26 on the PATH.");
  if (isCi || canHaveBuildah()) chosen.push(images);
  else console.log("Real builds of images are left out: they need buildah.");
  if (isCi || hasCluster || canHaveBinaries()) chosen.push(cluster);
  else {
    console.log(
      "The tests on a real control plane are left out: they need Go 1.26 on the PATH, or KEELSON_TEST_KUBECONFIG.",
    );
  }
  return chosen;
}

export default defineConfig({
  test: { reporters: ["default", "./test/count-reporter.ts"], projects: projects() },
});
