import { type Application, buildApplication, buildRouteMap } from "@stricli/core";
import { describe } from "./command.ts";
import { assembleCommand } from "./commands/assemble.ts";
import { explainCommand } from "./commands/blueprints/explain.ts";
import { validateCommand } from "./commands/blueprints/validate.ts";
import { checkCommand } from "./commands/check.ts";
import { completeCommand, completionCommands } from "./commands/completion.ts";
import { controllerCommand } from "./commands/controller/controller.ts";
import { installCommand } from "./commands/controller/install.ts";
import { ciCommand } from "./commands/devloop/ci.ts";
import { downCommand } from "./commands/devloop/down.ts";
import { triggerCommand } from "./commands/devloop/trigger.ts";
import { upCommand } from "./commands/devloop/up.ts";
import { dashboardCommand } from "./commands/dashboard.ts";
import { graphCommand } from "./commands/graph.ts";
import { liveCommands } from "./commands/live/index.ts";
import { applyCommand } from "./commands/project/apply.ts";
import { configCommands } from "./commands/project/config.ts";
import { destroyCommand } from "./commands/project/destroy.ts";
import { initCommand } from "./commands/project/init.ts";
import { typesCommand } from "./commands/types.ts";
import { importCommand } from "./commands/project/import.ts";
import { logsCommand } from "./commands/project/logs.ts";
import { namesCommand } from "./commands/project/names.ts";
import { outputCommand } from "./commands/project/output.ts";
import { refreshCommand } from "./commands/project/refresh.ts";
import { renameCommand } from "./commands/project/rename.ts";
import { statsCommand } from "./commands/project/stats.ts";
import { planCommand } from "./commands/project/plan.ts";
import { statusCommand } from "./commands/project/status.ts";
import { sandboxCommands } from "./commands/sandbox.ts";
import type { CliContext } from "./context.ts";
import { type OutputFormat } from "./output-flag.ts";
import { usageText } from "./usage-text.ts";

/** Every command, by name. Their code is loaded when they run. */
const routes = buildRouteMap({
  routes: {
    init: initCommand,
    up: upCommand,
    ci: ciCommand,
    down: downCommand,
    trigger: triggerCommand,
    check: checkCommand,
    graph: graphCommand,
    plan: planCommand,
    apply: applyCommand,
    destroy: destroyCommand,
    status: statusCommand,
    config: configCommands,
    output: outputCommand,
    names: namesCommand,
    rename: renameCommand,
    refresh: refreshCommand,
    import: importCommand,
    logs: logsCommand,
    stats: statsCommand,
    assemble: assembleCommand,
    types: typesCommand,
    explain: explainCommand,
    validate: validateCommand,
    live: liveCommands,
    dashboard: dashboardCommand,
    controller: controllerCommand,
    install: installCommand,
    sandbox: sandboxCommands,
    completion: completionCommands,
    __complete: completeCommand,
  },
  docs: {
    brief: "Plans, applies, waits for, prunes and observes Kubernetes resources as one graph",
    fullDescription: describe(
      "Plans, applies, waits for, prunes and observes resources as one graph.",
      [
        ["keelson up", "keep a project running while its files change"],
        ["keelson live apply deploy/", "apply YAML, wait, prune what left it"],
      ],
    ),
    hideRoute: { __complete: true },
  },
});

/** The commands by the job that they are for, as help lists them. */
export const commandGroups = {
  DEPLOY: ["plan", "apply", "status", "destroy", "live"],
  DEVELOP: ["init", "up", "ci", "down", "trigger", "logs", "sandbox"],
  UNDERSTAND: ["check", "graph", "assemble", "dashboard", "completion"],
  PROGRAMS: ["config", "output", "names", "rename", "refresh", "import", "stats", "types"],
  PLATFORMS: ["explain", "validate", "controller", "install"],
} as const;

export interface ApplicationOptions {
  readonly version: string;
  readonly output: OutputFormat;
  /** The command that the line names, for hints. */
  readonly command: string;
}

export function createApplication({
  version,
  output,
  command,
}: ApplicationOptions): Application<CliContext> {
  return buildApplication(routes, {
    name: "keelson",
    versionInfo: { currentVersion: version },
    scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
    documentation: {
      caseStyle: "convert-camel-to-kebab",
      useAliasInUsageLine: false,
      disableAnsiColor: true,
    },
    localization: { text: usageText(output, command) },
  });
}
