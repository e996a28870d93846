import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { cleanupRules, leaseRules, objectRules, ownRules } from "./controller-roles.ts";

const page = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
const [, section = ""] = page.split("## What the controller may do\n");
const rules = [...ownRules, ...objectRules, ...cleanupRules, ...leaseRules];

it("the rights of the controller are those of docs/security.md", () => {
  const [own = ""] = section.split("\n## ");
  const documented = [...own.matchAll(/^\| (`[^|]+`) +\| ([a-z, ]+?) +\|/gm)].map(
    ([, resources = "", verbs = ""]) => [resources.replaceAll("`", ""), verbs],
  );
  const given = rules.map(({ apiGroups, resources, verbs }) => {
    const qualified = apiGroups.flatMap((group) =>
      resources.map((resource) => (group === "" ? resource : `${resource}.${group}`)),
    );
    return [qualified.join(", "), verbs.join(", ")];
  });
  expect(documented).toEqual(given);
});

it("the controller writes no objects, reads none by name and becomes nobody but by a token", () => {
  const writing = rules.filter(
    ({ verbs }) => !verbs.every((verb) => ["list", "watch"].includes(verb)),
  );
  const written = writing.flatMap(({ resources }) => resources);
  const ofOthers = ["deployments", "services", "rolebindings", "roles", "pods", "*"];
  expect(written.filter((resource) => ofOthers.includes(resource))).toEqual([]);
  expect(rules.flatMap(({ verbs }) => verbs)).not.toContain("impersonate");
  expect(rules.flatMap(({ verbs }) => verbs)).not.toContain("*");
});
