import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HookWorld } from "./hook-world.ts";

const both = "pre-install,pre-upgrade";

/** Helm hooks as steps of an apply, each test in a namespace of its own; on the sandbox and on any cluster. */
export function hookScenarios(kubeconfig: () => string | undefined, unique: string): void {
  let hooks: HookWorld;
  let count = 0;
  const namespaces = { apiVersion: "v1", kind: "Namespace" };
  beforeEach(async () => {
    hooks = new HookWorld(`hooks-${++count}-${unique}`, kubeconfig());
    const namespace = { ...namespaces, metadata: { name: hooks.namespace } };
    await hooks.live.look((cluster) => cluster.create(namespace));
  });
  afterEach(async () => {
    const namespace = { ...namespaces, name: hooks.namespace };
    await hooks.live.look((cluster) => cluster.delete(namespace));
    hooks.live.remove();
  });

  describe("Helm hooks", () => {
    it("run before and after everything else, by their weights", async () => {
      const objects = [
        hooks.job("report", "post-install", { weight: 1 }),
        hooks.job("notify", "post-install", { weight: -1 }),
        hooks.color("blue"),
        hooks.job("migrate", both, { weight: 5 }),
        hooks.job("check", both, { weight: -5 }),
      ];
      const steps = (await hooks.apply(...objects)).filter((step) => !step.endsWith("created"));
      expect(steps).toEqual([
        "check ready",
        "migrate ready",
        "settings ready",
        "notify ready",
        "report ready",
      ]);
      expect((await hooks.plan(...objects)).stdout).toBe("5 unchanged\n");
    });

    it("run again when something else of the chart changes, each at its moment", async () => {
      const objects = (value: string): readonly string[] => [
        hooks.job("seed", "post-install"),
        hooks.job("migrate", "post-install,pre-upgrade"),
        hooks.color(value),
        hooks.job("report", "post-upgrade"),
      ];
      const steps = await hooks.apply(...objects("blue"));
      expect(steps.filter((step) => !/seed|migrate/.test(step))).toEqual([
        "settings created",
        "settings ready",
        "report unchanged",
      ]);
      // Hooks of one weight run side by side.
      for (const name of ["seed", "migrate"])
        expect(steps.filter((step) => step.startsWith(name) || step === "settings ready")).toEqual([
          "settings ready",
          `${name} created`,
          `${name} ready`,
        ]);
      const before = await hooks.jobs();
      expect((await hooks.plan(...objects("blue"))).stdout).toBe("4 unchanged\n");
      expect((await hooks.plan(...objects("red"))).stdout).toContain(
        `± Job.batch ${hooks.namespace}/migrate replaced because of the hook pre-upgrade, the old one goes first\n`,
      );
      expect(await hooks.apply(...objects("red"))).toEqual([
        "migrate recreated",
        "migrate ready",
        "settings configured",
        "settings ready",
        "seed unchanged",
        "report created",
        "report ready",
      ]);
      const after = await hooks.jobs();
      expect(after.filter((each) => before.includes(each))).toEqual([
        expect.stringMatching(/^seed /),
      ]);
    });

    it("go when they have succeeded and ask for it, and are not run again for that", async () => {
      const objects = [
        hooks.job("migrate", both, { policy: "hook-succeeded" }),
        hooks.color("blue"),
      ];
      expect(await hooks.apply(...objects)).toEqual([
        "migrate created",
        "migrate ready",
        "settings created",
        "settings ready",
        "migrate deleted",
      ]);
      await expect.poll(() => hooks.jobs()).toEqual([]);
      expect((await hooks.plan(...objects)).stdout).toBe("2 unchanged\n");
      hooks.live.write("rg.yaml", hooks.group());
      expect((await hooks.live.live("status --rg-file rg.yaml")).stdout).not.toContain("migrate");
      expect(await hooks.apply(...objects)).toEqual([
        "migrate unchanged",
        "settings unchanged",
        "settings ready",
      ]);
      // Beside other suites: kpt's definition of inventories, which some install, keeps no digest of what is gone.
      if (kubeconfig() === undefined) {
        const [, ...others] = objects;
        expect(
          await hooks.apply(
            hooks.job("migrate", both, { policy: "hook-succeeded", image: "busybox:2" }),
            ...others,
          ),
        ).toContain("migrate created");
      }
      expect((await hooks.live.live("destroy --rg-file rg.yaml --yes")).code).toBe(0);
    });

    it("of other kinds last as long as the Job that needs them", async () => {
      const account = hooks.account("migrator");
      const check = hooks
        .job("check", "pre-install", { policy: "hook-succeeded" })
        .replace("{restartPolicy", "{serviceAccountName: migrator, restartPolicy");
      expect(await hooks.apply(hooks.color("blue"), check, account)).toEqual([
        "migrator created",
        "migrator ready",
        "check created",
        "check ready",
        "settings created",
        "settings ready",
        "check deleted",
        "migrator deleted",
      ]);
      expect((await hooks.plan(hooks.color("blue"), check, account)).stdout).toBe("3 unchanged\n");
    });

    it("run again when they change themselves", async () => {
      await hooks.apply(hooks.color("blue"), hooks.job("migrate", both));
      expect(
        await hooks.apply(hooks.color("blue"), hooks.job("migrate", both, { image: "busybox:2" })),
      ).toContain("migrate recreated");
    });
  });
}
