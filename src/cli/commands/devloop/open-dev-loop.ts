import { sayCluster } from "../../open-cluster.ts";
import {
  DevLoop,
  devSource,
  type LoadedSource,
  requireAllowedContext,
} from "../../../devloop/index.ts";
import type { CliContext } from "../../context.ts";
import type { OpenedCluster } from "../../open-cluster.ts";
import { openLastingCluster } from "../../open-lasting-cluster.ts";
import { inventoryName, type Project, readProject } from "../../../engine/index.ts";
import { leaseHolder } from "../live/live-run.ts";
import { withNamespace } from "../project/open-project.ts";
import type { DevArguments } from "./dev-arguments.ts";
import type { DevLoopFlags } from "./flags.ts";
import { hostOf } from "../../host-of.ts";

export interface OpenedDevLoop {
  readonly loop: DevLoop;
  readonly project: Project;
  readonly opened: OpenedCluster;
  /** The name by which other commands find it. */
  readonly name: string;
  /** What was read at last; undefined before the first time. */
  readonly loaded: () => LoadedSource | undefined;
  readonly close: () => Promise<void>;
}

/** The dev loop that a command line asks for, not begun yet. */
export async function openDevLoop(
  context: CliContext,
  flags: DevLoopFlags,
  { input, components, args }: DevArguments,
  subcommand: "up" | "ci",
): Promise<OpenedDevLoop> {
  const project = await readProject(hostOf(context), input, flags.env);
  const opened = await openLastingCluster(context, withNamespace(flags, project), {
    allowProcesses: flags.allowProcesses,
  });
  sayCluster(context, flags, opened);
  let loaded: LoadedSource | undefined;
  const loop = new DevLoop({
    cluster: opened.cluster,
    source: devSource(hostOf(context), {
      input,
      project,
      cluster: opened.cluster,
      namespace: opened.namespace,
      context: opened.context,
      args,
      subcommand,
    }),
    only: components,
    watches: subcommand === "up" && input !== "-",
    environment: context.process.env,
    holder: leaseHolder(),
    accept: (source) => {
      requireAllowedContext({
        context: opened.context,
        isNamed: flags.context !== undefined || subcommand === "ci",
        allowed: [...project.allowedContexts, ...(source.settings?.allowedContexts ?? [])],
      });
      loaded = source;
    },
  });
  return {
    loop,
    project,
    opened,
    name: inventoryName(project),
    loaded: () => loaded,
    close: async () => {
      await loop.close();
      await opened.cluster.close();
      await opened.end();
    },
  };
}
