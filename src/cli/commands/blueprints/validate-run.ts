import { blueprintGroups, isBlueprintGroup, validatePlatform } from "../../../blueprints/index.ts";
import { DiagnosticError, fail } from "../../../diagnostics/index.ts";
import { groupOf, readObjects } from "../../../objects/index.ts";
import type { CommandHandler } from "../../command.ts";
import { exitCode } from "../../exit-code.ts";
import { inputPaths } from "../../../engine/index.ts";
import { report } from "../../report.ts";
import type { ValidateFlags } from "./validate.ts";
import { counted } from "../../views/counted.ts";
import { hostOf } from "../../host-of.ts";

export const runValidate: CommandHandler<ValidateFlags, readonly string[]> = async (
  context,
  { output, strict },
  ...inputs
) => {
  const { objects, diagnostics } = await readObjects(inputPaths(hostOf(context), inputs), {
    stdin: context.stdin,
  });
  if (diagnostics.some(({ severity }) => severity === "error"))
    throw new DiagnosticError(diagnostics);
  const ours = objects.filter(({ object }) => isBlueprintGroup(groupOf(object.apiVersion)));
  if (ours.length === 0)
    fail({
      code: "blueprints.no-blueprint",
      summary: "the input holds nothing of supply chains or deliveries",
      hint: `Name files with objects of ${blueprintGroups.map((group) => `${group}/v1alpha1`).join(" or ")}.`,
    });
  const found = validatePlatform(objects);
  report(context, [...diagnostics, ...found], output);
  const errors = found.filter(({ severity }) => severity === "error").length;
  const warnings = found.length - errors;
  const { stdout } = context.process;
  if (output === "json")
    stdout.write(
      `${JSON.stringify({ type: "summary", objects: ours.length, errors, warnings })}\n`,
    );
  else
    stdout.write(
      `${counted(ours.length, "object")}: ${errors === 0 ? "valid" : counted(errors, "error")}${warnings === 0 ? "" : `, ${counted(warnings, "warning")}`}\n`,
    );
  return errors > 0 || (strict && warnings > 0) ? exitCode.invalid : exitCode.success;
};
