import type { DockerBuild } from "./build-definition.ts";

export const builderNames = ["docker", "podman", "buildah"] as const;
export type BuilderName = (typeof builderNames)[number];

/** What is told to a builder for one image. */
export interface BuildRequest {
  readonly reference: string;
  readonly dockerfile: string;
  readonly context: string;
  readonly settings: Pick<
    DockerBuild,
    | "buildArgs"
    | "cacheFrom"
    | "extraHosts"
    | "network"
    | "platform"
    | "pull"
    | "secrets"
    | "ssh"
    | "target"
  >;
}

/** The command lines of one program that builds images. */
export interface Builder {
  readonly name: BuilderName;
  /** Succeeds only where it can build: a docker without its engine cannot. */
  readonly probe: readonly string[];
  readonly build: (request: BuildRequest) => readonly string[];
  readonly exists: (reference: string) => readonly string[];
  readonly tag: (reference: string, other: string) => readonly string[];
  /** Takes a name away; what it named goes with its last name. */
  readonly untag: (reference: string) => readonly string[];
  readonly push: (reference: string) => readonly string[];
}

/** All three understand the same words; they differ in how they are asked what is there. */
export const builders: Readonly<Record<BuilderName, Builder>> = {
  docker: builderOf(
    "docker",
    ["version", "--format", "{{.Server.Version}}"],
    ["image", "inspect", "--format", "{{.Id}}"],
  ),
  podman: builderOf("podman", ["info", "--format", "{{.Version.Version}}"], ["image", "exists"]),
  buildah: builderOf(
    "buildah",
    ["version"],
    ["inspect", "--type", "image", "--format", "{{.FromImageID}}"],
  ),
};

function builderOf(
  name: BuilderName,
  probe: readonly string[],
  exists: readonly string[],
): Builder {
  return {
    name,
    probe: [name, ...probe],
    build: (request) => [name, "build", ...buildArguments(request)],
    exists: (reference) => [name, ...exists, reference],
    tag: (reference, other) => [name, "tag", reference, other],
    untag: (reference) => [name, "rmi", reference],
    push: (reference) => [name, "push", reference],
  };
}

function buildArguments({
  reference,
  dockerfile,
  context,
  settings,
}: BuildRequest): readonly string[] {
  const { buildArgs, target, platform, network, pull } = settings;
  const each = (flag: string, values: readonly string[]): readonly string[] =>
    values.flatMap((value) => [flag, value]);
  return [
    "--tag",
    reference,
    "--file",
    dockerfile,
    ...each(
      "--build-arg",
      Object.entries(buildArgs).map(([key, value]) => `${key}=${value}`),
    ),
    ...each("--target", target === undefined ? [] : [target]),
    ...each("--platform", platform === undefined ? [] : [platform]),
    ...each("--network", network === undefined ? [] : [network]),
    ...(pull ? ["--pull"] : []),
    ...each("--ssh", settings.ssh),
    ...each("--secret", settings.secrets),
    ...each("--cache-from", settings.cacheFrom),
    ...each("--add-host", settings.extraHosts),
    context,
  ];
}
