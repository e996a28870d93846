import { spawnSync } from "node:child_process";

/** Whether buildah can be had: it is there, or may be installed from Debian's packages. */
export function canHaveBuildah(): boolean {
  return (
    works("buildah", ["--version"]) || (process.getuid?.() === 0 && works("apt-get", ["--version"]))
  );
}

/** Installs buildah if it is not there; without it the tests of real builds cannot run. */
export function setup(): void {
  if (works("buildah", ["--version"])) return;
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const options = { env, stdio: "ignore", timeout: 300_000 } as const;
  if (
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "buildah"], options)
      .status !== 0
  ) {
    spawnSync("apt-get", ["update"], options);
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "buildah"], options);
  }
  if (!works("buildah", ["--version"]))
    throw new Error("real builds of images need buildah, and it could not be installed");
}

function works(program: string, args: readonly string[]): boolean {
  return spawnSync(program, args, { stdio: "ignore" }).status === 0;
}
