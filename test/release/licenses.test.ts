import { expect, it } from "vitest";
import { licenseList } from "../../scripts/release/licenses.ts";
import type { SbomComponent } from "../../scripts/release/sbom.ts";
import { packagesInNotices, thirdPartyNotices } from "../../scripts/third-party-notices.ts";

const component = (name: string, ...ids: readonly string[]): SbomComponent => ({
  type: "library",
  name,
  version: "1.0.0",
  licenses: ids.map((id) => ({ license: { id } })),
});

it("lists packages with their licences", () => {
  const components = [component("ws", "MIT"), component("yaml", "ISC"), component("jose", "MIT")];
  const { page, problems } = licenseList({ metadata: {}, components });
  expect(problems).toEqual([]);
  expect(page.split("\n").slice(-4)).toEqual([
    "| jose | 1.0.0 | MIT |",
    "| ws | 1.0.0 | MIT |",
    "| yaml | 1.0.0 | ISC |",
    "",
  ]);
});

it("refuses licences that are unknown or not permissive", () => {
  const components = [component("a"), component("b", "AGPL-3.0-only"), component("c", "MIT")];
  expect(licenseList({ metadata: {}, components }).problems).toEqual([
    "a 1.0.0 has no licence",
    "b 1.0.0 has the licence AGPL-3.0-only, which is not on the list of permissive ones",
  ]);
});

it("shows the licence texts of packages whose code is bundled", async () => {
  const root = process.cwd();
  const notices = await thirdPartyNotices([
    `${root}/web/src/main.ts`,
    `${root}/node_modules/svelte/src/index-client.js`,
    `${root}/node_modules/svelte/src/internal/client/index.js`,
  ]);
  expect(notices).toContain("Permission is hereby granted, free of charge");
  expect(packagesInNotices(notices)).toEqual([
    { name: "svelte", version: expect.stringMatching(/^5\./) as string, license: "MIT" },
  ]);
});
