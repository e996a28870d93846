import { mkdirSync, openSync, closeSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fail } from "../../../diagnostics/index.ts";

/**
 * The file of a report, with the folders that it needs. It is opened at once, so that nobody waits
 * for a long run only to learn that its report cannot be written.
 */
export function openReport(path: string): { readonly write: (text: string) => void } {
  const attempt = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      fail({
        code: "devloop.report-unwritable",
        summary: `the report cannot be written to ${path}: ${why}`,
        hint: "give another file",
        cause: error,
      });
    }
  };
  attempt(() => {
    mkdirSync(dirname(path), { recursive: true });
    closeSync(openSync(path, "a"));
  });
  return {
    write: (text) => {
      attempt(() => {
        writeFileSync(path, text);
      });
    },
  };
}
