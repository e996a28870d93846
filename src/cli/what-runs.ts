const evaluated = "the input's code (a Tiltfile and its commands, a program)";
const code = "the input's code (a Tiltfile and its commands, a program, plugins of bundles)";
const nothing = "no code of the input";

/** What one command runs of what others wrote. */
interface Runs {
  /** One line for its help and for docs/what-runs.md. */
  readonly text: string;
  /** Which inputs it evaluates, when it is given one. */
  readonly evaluates: readonly ("tiltfile" | "program")[];
}

const both = ["tiltfile", "program"] as const;
const runs = (text: string, evaluates: Runs["evaluates"] = []): Runs => ({ text, evaluates });

/**
 * What each command runs: the one place that its help, docs/what-runs.md and the test of both read. All of them that
 * reach a cluster also run the credential plugin that the kubeconfig names.
 */
export const whatRuns = {
  check: runs(`${code}, and the TypeScript of its project; nothing with --no-execution`, both),
  assemble: runs(`${evaluated}; commands of a Tiltfile are announced`, both),
  graph: runs(`${code}; commands of a Tiltfile are announced`, both),
  types: runs(evaluated, both),
  plan: runs(`${code}, and its providers, to plan`, both),
  apply: runs(`${code}, image builders, and its providers`, both),
  import: runs(`${evaluated}, and the provider of the resource`, both),
  destroy: runs(`${nothing}; the providers of its project, to delete`),
  status: runs(nothing),
  "config get": runs(nothing),
  "config set": runs(nothing),
  output: runs(nothing),
  names: runs(nothing),
  rename: runs(nothing),
  refresh: runs(`${nothing}; the providers of its project, to look`),
  logs: runs(`${nothing}; the providers of its project, to fetch logs`),
  stats: runs(`${nothing}; the providers of its project, to fetch numbers`),
  init: runs("nothing"),
  up: runs(
    `${code}, image builders, local commands and servers, custom deploys, and providers`,
    both,
  ),
  ci: runs(
    `${code}, image builders, local commands and servers, custom deploys, and providers`,
    both,
  ),
  down: runs(
    "providers, to delete; of a Tiltfile its code, and the delete commands of its custom deploys",
    ["tiltfile"],
  ),
  trigger: runs("nothing itself: the `keelson up` that runs updates the component"),
  explain: runs(`${nothing}; ytt, for templates that are written in it`),
  validate: runs(nothing),
  dashboard: runs(
    "nothing without a source; with one its code and its providers, to plan and to apply",
    both,
  ),
  controller: runs(
    "plugins of bundles from the folder of --plugins, and ytt, for templates that are written in it",
  ),
  install: runs("nothing"),
  "live init": runs("nothing"),
  "live install-resource-group": runs("nothing"),
  "live plan": runs(`${code}, and its providers, to plan`, both),
  "live apply": runs(`${code}, image builders, and its providers`, both),
  "live status": runs(nothing),
  "live destroy": runs(nothing),
  "live recover": runs(nothing),
  "live migrate": runs(nothing),
  "sandbox serve": runs(
    "nothing; with --allow-processes the commands that objects name in an annotation",
  ),
  "sandbox snapshot": runs("nothing"),
  "sandbox restore": runs("nothing"),
} as const satisfies Readonly<Record<string, Runs>>;

export type RunnableCommand = keyof typeof whatRuns;
