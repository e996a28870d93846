import { defineConfig, type TestProjectConfiguration } from "vitest/config";
import { canHaveBinaries } from "./test/cluster/binaries.ts";

const unit: TestProjectConfiguration = {
  test: {
    name: "unit",
    include: ["src/**/*.test.ts", "test/{repository,cli,sandbox,live,faults}/**/*.test.ts"],
    exclude: ["test/sandbox/*-differential.test.ts"],
  },
};

const cluster: TestProjectConfiguration = {
  test: {
    name: "cluster",
    include: ["test/{cluster,conformance}/**/*.test.ts", "test/sandbox/*-differential.test.ts"],
    globalSetup: ["test/cluster/global-setup.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
};

/** With CI=true the missing control plane is a failure, which its own set-up reports. */
function projects(): TestProjectConfiguration[] {
  const isWanted =
    (process.env["CI"] ?? "") !== "" || (process.env["KEELSON_TEST_KUBECONFIG"] ?? "") !== "";
  if (isWanted || canHaveBinaries()) return [unit, cluster];
  console.log(
    "The tests on a real control plane are left out: they need Go 1.26 on the PATH, or KEELSON_TEST_KUBECONFIG.",
  );
  return [unit];
}

export default defineConfig({
  test: { reporters: ["default", "./test/count-reporter.ts"], projects: projects() },
});
