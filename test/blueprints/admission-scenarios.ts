/** Every rule of admission with the message that kubectl shows, on any API server. */
import { execFile } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { kubectlPath } from "../cluster/kubectl.ts";
import { admissionCases } from "./admission-cases.ts";
import { seedYaml } from "./seed-yaml.ts";

export function admissionScenarios(kubeconfig: () => string): void {
  let kubectl = "";
  beforeAll(async () => {
    kubectl = await kubectlPath();
  });

  /** What kubectl prints, both outputs together. */
  function run(args: readonly string[], input: string): Promise<string> {
    return new Promise((resolve) => {
      const child = execFile(
        kubectl,
        ["--kubeconfig", kubeconfig(), ...args],
        (_error, stdout, stderr) => {
          resolve((stdout + stderr).trim());
        },
      );
      child.stdin?.end(input);
    });
  }

  describe("what the API server refuses", () => {
    it.each(admissionCases)("$rule", async ({ yaml, expected }) => {
      const said = await run(["create", "--validate=false", "-f", "-"], yaml);
      expect(/is invalid: ([\s\S]*)$/.exec(said)?.[1] ?? said).toBe(expected);
    });
  });

  it.each(["kontinue.io", "carto.run"])(
    "the seed's YAML is taken as it is written: %s",
    async (group) => {
      const yaml = seedYaml.replaceAll("kontinue.io", group);
      const said = await run(["apply", "--server-side", "--dry-run=server", "-f", "-"], yaml);
      expect(said.split("\n")).toEqual([
        `clustersupplychain.${group}/responsible-ops serverside-applied (server dry run)`,
        `workload.${group}/petclinic serverside-applied (server dry run)`,
      ]);
    },
  );
}
