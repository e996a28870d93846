import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Component, parseImageReference } from "../../assembly/index.ts";
import type { Cluster } from "../../cluster/index.ts";
import { DiagnosticError } from "../../diagnostics/index.ts";
import type { BuildDefinition, LiveUpdateStep } from "../../images/index.ts";
import type { KubernetesObject } from "../../objects/index.ts";
import type { CustomDeploy } from "../../sources/tiltfile/index.ts";
import type { DevComponent } from "../dev-component.ts";
import type { CurrentSource } from "../dev-context.ts";
import { buildMatches, isUnder } from "../files/input-match.ts";
import { containerNames, containerRuns, containersOf, isUsable } from "../pods/pod-facts.ts";
import type { PodFeed } from "../pods/pod-feed.ts";
import {
  type LiveUpdatePlan,
  planLiveUpdate,
  type SyncedFile,
  syncedFile,
} from "./plan-live-update.ts";
import { type TarEntry, tarOf } from "./tar.ts";

export interface LiveUpdatesOptions {
  readonly cluster: Cluster;
  readonly pods: PodFeed;
  readonly onLine: (component: string, line: string) => void;
  readonly signal: AbortSignal;
}

export interface ChangedImage {
  readonly build: BuildDefinition;
  readonly files: readonly string[];
}

export type LiveUpdateOutcome =
  | { readonly kind: "updated"; readonly message: string }
  | { readonly kind: "full"; readonly message?: string | undefined };

/** A container that a live update changes. */
interface Target {
  readonly component: string;
  readonly pod: { readonly namespace?: string | undefined; readonly name: string };
  readonly container: string;
}

const mostFiles = 10_000;

/** Changes running containers in the place of building their images again. */
export class LiveUpdates {
  readonly #options: LiveUpdatesOptions;
  /** What images are still called though their files have changed, by the reference of their build. */
  readonly keptImages = new Map<string, string>();
  /** What the containers have that their image has not. */
  readonly #synced = new Map<string, Map<string, SyncedFile>>();
  readonly #seen = new Set<string>();

  constructor(options: LiveUpdatesOptions) {
    this.#options = options;
  }

  /** From now on the images of a component are built from their files again. */
  forget({ images }: Component): void {
    for (const { build = "" } of images) this.#forgetBuild(build);
  }

  async update(
    images: readonly ChangedImage[],
    users: readonly Component[],
    references: ReadonlyMap<string, string>,
    onBegin: () => void,
  ): Promise<LiveUpdateOutcome> {
    const work: {
      readonly plan: Steps;
      readonly build: BuildDefinition;
      readonly targets: readonly Target[];
    }[] = [];
    for (const { build, files } of images) {
      const plan = planLiveUpdate(build.liveUpdate, build.reference, files);
      const targets = this.#targetsOf(build, users, references);
      if (plan.kind === "full") return this.#full(images, plan.message);
      if (targets.length === 0)
        return this.#full(images, `no container runs ${build.reference} that could be updated`);
      work.push({ plan, build, targets });
    }
    onBegin();
    let count = 0;
    for (const { plan, build, targets } of work) {
      for (const target of targets) {
        const problem = await this.#change(target, plan);
        if (problem !== undefined) return this.#full(images, problem);
      }
      this.#remember(build.reference, plan.files);
      const reference = references.get(build.reference);
      if (reference !== undefined) this.keptImages.set(build.reference, reference);
      count += plan.files.length;
    }
    return updated(count);
  }

  /** Changes what the command of a custom deploy put into the cluster, without running it again. */
  async updateDeploy(
    deploy: CustomDeploy,
    files: readonly string[],
    onBegin: () => void,
  ): Promise<LiveUpdateOutcome> {
    const plan = planLiveUpdate(deploy.liveUpdate, `deploy of ${deploy.name}`, files);
    const targets = this.#usablePods(deploy.name).flatMap((pod) =>
      deployContainers(deploy, pod).map((container) => targetIn(deploy.name, pod, container)),
    );
    const full = (message: string | undefined): LiveUpdateOutcome => {
      this.#synced.delete(deployKey(deploy));
      return { kind: "full", message };
    };
    if (plan.kind === "full") return full(plan.message);
    if (targets.length === 0) return full("no container runs that could be updated");
    onBegin();
    for (const target of targets) {
      const problem = await this.#change(target, plan);
      if (problem !== undefined) return full(problem);
    }
    this.#remember(deployKey(deploy), plan.files);
    return updated(plan.files.length);
  }

  /** A container that began anew has only what is in its image: the rest is given to it again. */
  podSeen(
    { component: { images }, deploy, name }: DevComponent,
    source: CurrentSource | undefined,
    pod: KubernetesObject,
  ): void {
    if (source === undefined || !isUsable(pod)) return;
    for (const build of source.loaded.builds) {
      if (build.liveUpdate.length === 0 || !images.some((each) => each.build === build.reference))
        continue;
      const reference = source.desired.images.get(build.reference);
      const containers = containersOf(pod, (image) => image === reference);
      this.#catchUp(name, pod, containers, () =>
        this.#missingFiles(build.reference, build.liveUpdate, buildMatches(build)),
      );
    }
    if (deploy === undefined || deploy.liveUpdate.length === 0) return;
    this.#catchUp(name, pod, deployContainers(deploy, pod), () =>
      this.#missingFiles(deployKey(deploy), deploy.liveUpdate, (path) =>
        isUnder(deploy.dependencies, path),
      ),
    );
  }

  /** Gives containers of a pod what they lack, once for each time that they begin. */
  #catchUp(
    component: string,
    pod: KubernetesObject,
    containers: readonly string[],
    missingFiles: () => readonly SyncedFile[],
  ): void {
    for (const { container, restarts, isRunning } of containerRuns(pod)) {
      const key = `${pod.metadata.uid ?? ""}/${container}/${restarts}`;
      if (!isRunning || !containers.includes(container) || this.#seen.has(key)) continue;
      this.#seen.add(key);
      const files = missingFiles();
      if (files.length === 0) continue;
      const target = targetIn(component, pod, container);
      void this.#change(target, { kind: "steps", files, runs: [], restarts: false }).then(
        (problem) => {
          this.#options.onLine(
            component,
            problem ?? `${files.length} files were put into ${target.pod.name}, which began anew`,
          );
        },
      );
    }
  }

  #missingFiles(
    key: string,
    liveUpdate: readonly LiveUpdateStep[],
    matches: (path: string) => boolean,
  ): readonly SyncedFile[] {
    const synced = [...(this.#synced.get(key)?.values() ?? [])];
    if (!liveUpdate.some(({ kind }) => kind === "initial-sync")) return synced;
    const roots = liveUpdate.flatMap((step) => (step.kind === "sync" ? step.localPath : []));
    return roots
      .flatMap(filesIn)
      .filter(matches)
      .flatMap((path) => syncedFile(liveUpdate, path) ?? []);
  }

  #remember(key: string, files: readonly SyncedFile[]): void {
    const synced = this.#synced.get(key) ?? new Map<string, SyncedFile>();
    for (const file of files) synced.set(file.local, file);
    this.#synced.set(key, synced);
  }

  #full(images: readonly ChangedImage[], message: string | undefined): LiveUpdateOutcome {
    for (const { build } of images) this.#forgetBuild(build.reference);
    return { kind: "full", message };
  }

  #forgetBuild(reference: string): void {
    this.keptImages.delete(reference);
    this.#synced.delete(reference);
  }

  #targetsOf(
    build: BuildDefinition,
    users: readonly Component[],
    references: ReadonlyMap<string, string>,
  ): readonly Target[] {
    const reference = references.get(build.reference);
    return users
      .filter(({ images }) => images.some((each) => each.build === build.reference))
      .flatMap(({ name }) =>
        this.#usablePods(name).flatMap((pod) =>
          containersOf(pod, (image) => image === reference).map((container) =>
            targetIn(name, pod, container),
          ),
        ),
      );
  }

  #usablePods(component: string): readonly KubernetesObject[] {
    return this.#options.pods.podsOf(component).filter(isUsable);
  }

  /** Undefined when it went well, else what stood in the way. */
  async #change(target: Target, { files, runs, restarts }: Steps): Promise<string | undefined> {
    try {
      const present: TarEntry[] = [];
      const absent: string[] = [];
      for (const { local, container } of files) {
        const found = statSync(local, { throwIfNoEntry: false });
        if (found?.isFile() === true)
          present.push({
            path: container.replace(/^\/+/, ""),
            content: readFileSync(local),
            mode: found.mode,
          });
        else if (found === undefined) absent.push(container);
      }
      if (present.length > 0)
        await this.#exec(target, ["tar", "-x", "-m", "-f", "-", "-C", "/"], tarOf(present));
      if (absent.length > 0) await this.#exec(target, ["rm", "-rf", "--", ...absent]);
      for (const { command, isEchoOff } of runs) {
        if (!isEchoOff) this.#options.onLine(target.component, `running ${command.join(" ")}`);
        await this.#exec(target, command);
      }
      if (restarts) await this.#exec(target, restartCommand, undefined, endedWithIt);
      return undefined;
    } catch (error) {
      if (error instanceof ExecFailed) return error.message;
      if (error instanceof DiagnosticError) return error.diagnostics[0]?.summary ?? error.message;
      throw error;
    }
  }

  async #exec(
    { component, pod, container }: Target,
    command: readonly string[],
    stdin?: Buffer,
    alsoFine = 0,
  ): Promise<void> {
    const { cluster, onLine, signal } = this.#options;
    let last = "";
    const show = (chunk: Uint8Array): void => {
      for (const line of Buffer.from(chunk).toString("utf8").split("\n")) {
        if (line === "") continue;
        last = line;
        onLine(component, line);
      }
    };
    const code = await cluster.exec(pod, {
      command,
      container,
      signal,
      onStdout: show,
      onStderr: show,
      ...(stdin === undefined ? {} : { stdin: chunksOf(stdin) }),
    });
    if (code !== 0 && code !== alsoFine)
      throw new ExecFailed(
        `${command[0] ?? "a command"} ended with code ${code} in ${pod.name}${last === "" ? "" : `: ${last}`}`,
      );
  }
}

function updated(count: number): LiveUpdateOutcome {
  const message = `${count} ${count === 1 ? "file was" : "files were"} put into its containers`;
  return { kind: "updated", message };
}

function targetIn(component: string, { metadata }: KubernetesObject, container: string): Target {
  return {
    component,
    container,
    pod: { namespace: metadata.namespace, name: metadata.name ?? "" },
  };
}

/** References of images have no spaces. */
function deployKey({ name }: CustomDeploy): string {
  return `deploy ${name}`;
}

/** The containers of a pod that the live updates of a custom deploy are for. */
function deployContainers({ container }: CustomDeploy, pod: KubernetesObject): readonly string[] {
  if (container?.kind === "name")
    return containerNames(pod).filter((name) => name === container.name);
  return containersOf(pod, (image) => container !== undefined && isOf(image, container.reference));
}

/** Whether an image is of a name, whatever its tag and digest. */
function isOf(image: string, reference: string): boolean {
  const repository = parseImageReference(reference)?.repository;
  return repository !== undefined && parseImageReference(image)?.repository === repository;
}

type Steps = Extract<LiveUpdatePlan, { readonly kind: "steps" }>;

class ExecFailed extends Error {}

/** A command beside a process may be ended together with it. */
const endedWithIt = 143;

/**
 * In Kubernetes a container that is restarted begins with what is in its image, so there only a new
 * image helps; a process of the sandbox has its files outside of it.
 */
const restartCommand = [
  "sh",
  "-c",
  'test -n "$KEELSON_PROCESS" || { echo "a restart would lose the files" >&2; exit 1; }; kill -- "-$KEELSON_PROCESS"',
];

const chunkBytes = 32 * 1024;

// oxlint-disable-next-line require-await -- an exec takes its input as an asynchronous sequence
async function* chunksOf(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += chunkBytes)
    yield bytes.subarray(start, start + chunkBytes);
}

function filesIn(root: string): readonly string[] {
  const found = statSync(root, { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (found.isFile()) return [root];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .slice(0, mostFiles)
    .map((entry) => join(entry.parentPath, entry.name));
}
