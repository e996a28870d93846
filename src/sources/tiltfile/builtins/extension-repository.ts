import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import { fail } from "../../../diagnostics/index.ts";
import type { ProcessOutcome } from "../../hydrate/index.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** A repository of extensions as a Tiltfile registers it. */
export interface ExtensionRepository {
  readonly url: string;
  /** A branch, tag or commit; the default branch as it was when it was fetched first, unless given. */
  readonly ref?: string | undefined;
  /** The folder of the extensions inside of the repository. */
  readonly subpath?: string | undefined;
}

/** The repository that `ext://` means where no other is registered. */
export const defaultRepository: ExtensionRepository = {
  url: "https://github.com/tilt-dev/tilt-extensions",
};

const timeoutMs = 120_000;
const ownPathHint =
  "Set KEELSON_EXTENSION_PATH to a directory with the extensions, such as a checkout of tilt-dev/tilt-extensions.";

/** Where repositories of extensions are on this machine: below `tilt_modules`, where extensions look for themselves. */
export class ExtensionFolders {
  readonly #state: TiltfileState;

  constructor(state: TiltfileState) {
    this.#state = state;
  }

  /** Tilt's own copy of the default repository, or ours, which git fetches. */
  standard(): string {
    const data = this.#dataFolder();
    if (data === undefined)
      return fail({
        code: "tiltfile.extension",
        summary: "there is no home directory to keep extensions in",
        hint: ownPathHint,
      });
    const ofTilt = join(data, "tilt-dev", "tilt_modules", ...placeOf(defaultRepository));
    const isThere = this.#state.files.kindOf(ofTilt) === "directory";
    return isThere ? ofTilt : this.fetched(defaultRepository);
  }

  /** A directory of this machine, under a name below `tilt_modules`. */
  local(directory: string): string {
    if (this.#state.files.kindOf(directory) !== "directory")
      return fail({
        code: "tiltfile.extension",
        summary: `the repository of extensions was not found: there is no directory ${this.#state.displayPath(directory)}`,
        hint: "Correct the url of v1alpha1.extension_repo, or KEELSON_EXTENSION_PATH.",
      });
    const data = this.#dataFolder();
    if (data === undefined || directory.split(/[\\/]/).includes("tilt_modules")) return directory;
    const digest = createHash("sha256").update(directory).digest("hex").slice(0, 12);
    const path = join(data, "keelson", "tilt_modules", "local", `${basename(directory)}-${digest}`);
    // Where nothing can be written, most extensions work all the same.
    return this.#state.files.link(path, directory) ? path : directory;
  }

  /** What git fetches, once; a fetched version is never changed. */
  fetched(repository: ExtensionRepository): string {
    const { url, ref, subpath = "" } = repository;
    const data = this.#dataFolder();
    if (data === undefined) return this.standard();
    const path = join(data, "keelson", "tilt_modules", ...placeOf(repository));
    if (this.#state.files.kindOf(path) === undefined) {
      const unfinished = `${path}.${process.pid}`;
      const commands = [["clone", "--quiet", "--", url, unfinished]];
      if (ref !== undefined) commands.push(["-C", unfinished, "checkout", "--quiet", ref, "--"]);
      for (const command of commands) {
        const why = problemOf(this.#git(command));
        if (why === undefined) continue;
        this.#state.files.remove(unfinished);
        return fail({
          code: "tiltfile.extension",
          summary: `the extensions of ${url} cannot be fetched: ${why}`,
          hint: ownPathHint,
        });
      }
      this.#state.files.move(unfinished, path);
    }
    return join(path, subpath);
  }

  #git(args: readonly string[]): ProcessOutcome {
    return this.#state.run({
      command: ["git", ...args],
      directory: "/",
      environment: {
        ...this.#state.environmentRecord(),
        GIT_TERMINAL_PROMPT: "0",
        GIT_ALLOW_PROTOCOL: "git:http:https:ssh",
      },
      timeoutMs,
    });
  }

  #dataFolder(): string | undefined {
    const { XDG_DATA_HOME: given = "", HOME: home = "" } = this.#state.options.environment;
    if (given !== "") return given;
    return home === "" ? undefined : join(home, ".local", "share");
  }
}

/** Whether git can fetch from an address without running anything else. */
export function isRepositoryAddress(url: string): boolean {
  return /^(?:https?|ssh|git):\/\/[^-]/.test(url) || /^[\w.]+@[\w.-]+:[^-]/.test(url);
}

/** `github.com/tilt-dev/tilt-extensions`, with the version where one is asked for. */
function placeOf({ url, ref }: ExtensionRepository): readonly string[] {
  const parts = url
    .replace(/^\w+:\/\//, "")
    .replace(/^[^/@]*@/, "")
    .replace(/\.git\/?$/, "")
    .split(/[/:]+/)
    .map((part) => part.replaceAll(/[^\w.-]/g, "_"))
    .filter((part) => !/^\.*$/.test(part));
  const version = ref === undefined ? "" : `@${ref.replaceAll(/[^\w.-]/g, "_")}`;
  return [...parts.slice(0, -1), `${parts.at(-1) ?? ""}${version}`];
}

function problemOf(outcome: ProcessOutcome): string | undefined {
  if (outcome.kind === "not-found") return "git was not found";
  if (outcome.kind === "failed") return outcome.reason;
  if (outcome.status === 0) return undefined;
  return outcome.stderr.trim().split("\n").at(-1) ?? "git failed";
}
