/**
 * The engine: reads an input into desired state, plans it, applies it, destroys and observes it. One verb
 * per file, the same for every source and for everybody who drives it: the command line, the dev loop,
 * the page, and programs that import `keelson/engine`.
 *
 * It knows no terminal and no flags. What it needs of the machine comes in as {@link EngineHost}.
 */
export type { EngineHost } from "./host.ts";
export { desire } from "./load.ts";
export { plan } from "./plan.ts";
export type { ApplyOptions } from "./apply.ts";
export { apply } from "./apply.ts";
export type { DestroyOptions } from "./destroy.ts";
export { destroy } from "./destroy.ts";
export { checkSource } from "./check-source.ts";
export { graph } from "./graph.ts";
export type { PlannedChange } from "./describe-plan.ts";
export { secretFields } from "./describe-plan.ts";
export type { KeptPlan } from "./saved-plan.ts";
export { keepPlan, requireSamePlan } from "./saved-plan.ts";
export { refuseRenamed } from "./refuse-renamed.ts";
export type { Desired } from "./desired/desired.ts";
export { desiredState, draftState, knownScopes, throwProblems } from "./desired/desired-state.ts";
export { BundlePlugins } from "./desired/bundle-plugins.ts";
export { resourceHash } from "./desired/resource-hash.ts";
export type { Source } from "./source/read-source.ts";
export { closeSource, readSource } from "./source/read-source.ts";
export { inspectSource } from "./source/inspect-source.ts";
export { assembleSource } from "./source/assemble-source.ts";
export { inputPaths } from "./source/input-paths.ts";
export { isDeployed } from "./source/is-deployed.ts";
export type { LoadedPackage } from "./source/load-package.ts";
export {
  loadGroup,
  loadPackage,
  packageFolder,
  readConfigMapInventory,
  readKptfile,
} from "./source/load-package.ts";
export type { LoadedProject } from "./source/load-project.ts";
export { appliedGroup, groupOfSource, loadProject, projectGroup } from "./source/load-project.ts";
export { folderOf } from "./source/folder-of.ts";
export type { Project } from "./source/project.ts";
export { readProject } from "./source/project.ts";
export { inventoryName, outputsName } from "../sources/program/inventory-name.ts";
export type { ReleaseAdoption } from "./release-adoption.ts";
export { adoptRelease, planAdoption } from "./release-adoption.ts";
export { programPath } from "./source/program-path.ts";
export { tiltfilePath } from "./source/tiltfile-path.ts";
