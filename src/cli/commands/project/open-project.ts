import type { ClusterFlags } from "../../cluster-flags.ts";
import type { CliContext } from "../../context.ts";
import { type OpenedCluster, openCluster, sayCluster } from "../../open-cluster.ts";
import { type Project, readProject } from "../../../engine/index.ts";
import type { ProjectFlags } from "./flags.ts";
import { hostOf } from "../../host-of.ts";

/** The project of an input, and the cluster, in the project's namespace unless another is asked for. */
export async function openProject(
  context: CliContext,
  flags: ClusterFlags & ProjectFlags & { readonly output?: string },
  input: string,
): Promise<{ readonly project: Project; readonly opened: OpenedCluster }> {
  const project = await readProject(hostOf(context), input, flags.env);
  const opened = await openCluster(context, withNamespace(flags, project));
  sayCluster(context, flags, opened);
  return { project, opened };
}

export function withNamespace<Flags extends ClusterFlags>(
  flags: Flags,
  { namespace }: Project,
): Flags {
  return flags.namespace !== undefined || namespace === undefined ? flags : { ...flags, namespace };
}
