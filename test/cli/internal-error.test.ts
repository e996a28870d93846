import { expect, it } from "vitest";
import { diagnosticsOf } from "../../src/cli/report.ts";

it("says a defect as one, with its stack only when asked", () => {
  const [quiet] = diagnosticsOf(new Error("boom"), false);
  expect(quiet).toMatchObject({
    code: "cli.internal",
    summary: "Keelson failed unexpectedly: boom",
  });
  expect(quiet?.detail).toBeUndefined();
  expect(diagnosticsOf(new Error("boom"), true)[0]?.detail).toContain("internal-error.test");
});
