import { expect, test } from "vitest";
import { DiagnosticError } from "../diagnostics/index.ts";
import { Resource } from "./resource.ts";

test("a resource cannot be allocated while no program is evaluated", () => {
  let error: unknown;
  try {
    error = new Resource();
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toBeInstanceOf(DiagnosticError);
  expect((error as DiagnosticError).diagnostics[0]?.code).toBe("program.outside-run");
});
