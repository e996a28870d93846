import {
  type ApplicationText,
  ArgumentScannerError,
  FlagNotFoundError,
  formatMessageForArgumentScannerError,
  text_en,
} from "@stricli/core";
import { type Diagnostic, renderDiagnostic } from "../diagnostics/index.ts";
import type { OutputFormat } from "./output-flag.ts";
import { diagnosticEvent, diagnosticsOf } from "./report.ts";

/** The framework's messages, in the one shape that all of Keelson's errors have. */
export function usageText(output: OutputFormat, command: string): ApplicationText {
  const show = (diagnostic: Diagnostic): string => {
    if (output === "json") return diagnosticEvent(diagnostic);
    return renderDiagnostic(diagnostic);
  };
  const usage = (summary: string, hint: string): string =>
    show({ code: "cli.usage", severity: "error", summary, hint });
  return {
    ...text_en,
    briefs: { ...text_en.briefs, help: "Show this help" },
    noCommandRegisteredForInput: ({ input, corrections }) =>
      usage(
        `there is no command \`${input}\``,
        didYouMean(corrections) ?? "`keelson --help` lists the commands",
      ),
    exceptionWhileParsingArguments: (error) => {
      if (!(error instanceof ArgumentScannerError)) {
        return usage(error instanceof Error ? error.message : String(error), helpHint(command));
      }
      if (error instanceof FlagNotFoundError) {
        return usage(
          `there is no flag \`--${error.input}\``,
          didYouMean(error.corrections.map((flag) => `--${kebabCase(flag)}`)) ?? helpHint(command),
        );
      }
      return usage(lowerFirst(formatMessageForArgumentScannerError(error, {})), helpHint(command));
    },
    exceptionWhileLoadingCommandFunction: (error) =>
      diagnosticsOf(error, false).map(show).join("\n"),
    exceptionWhileRunningCommand: (error) => diagnosticsOf(error, false).map(show).join("\n"),
  };
}

function didYouMean(corrections: readonly string[]): string | undefined {
  if (corrections.length === 0) return undefined;
  return `did you mean ${corrections.map((correction) => `\`${correction.replace(/^`|`$/g, "")}\``).join(" or ")}?`;
}

function helpHint(command: string): string {
  return `\`${command} --help\` shows what it takes`;
}

function kebabCase(flag: string): string {
  return flag.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
