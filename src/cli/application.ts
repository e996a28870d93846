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
import { destroyCommand } from "./commands/project/destroy.ts";
import { initCommand } from "./commands/project/init.ts";
import { typesCommand } from "./commands/types.ts";
import { importCommand } from "./commands/project/import.ts";
import { logsCommand } from "./commands/project/logs.ts";
import { namesCommand } from "./commands/project/names.ts";
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
      "Keelson turns descriptions of resources into one named dependency graph, and plans, applies,\nwaits for, tracks, prunes and observes it, on any Kubernetes cluster or on the control plane\nbuilt into it.",
      [
        ["keelson check deploy/", "is the input valid?"],
        ["keelson up", "keep the project in this directory running while its files change"],
        ["keelson sandbox", "a Kubernetes API on this machine, with nothing installed"],
        [
          "keelson live apply deploy/",
          "apply a package, wait until it is ready, prune what left it",
        ],
        ["keelson graph deploy/", "what waits for what, and why"],
        ["keelson assemble deploy/", "which workloads there are, and what goes with each"],
        ["keelson check --help", "what a command takes"],
      ],
    ),
    hideRoute: { __complete: true },
  },
});

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
