const evaluated = "the input's code (a Tiltfile and its commands, a program)";
const code = "the input's code (a Tiltfile and its commands, a program, plugins of bundles)";
const nothing = "no code of the input";

/**
 * What each command runs of what others wrote, in one line for its help and for docs/what-runs.md. All of them that
 * reach a cluster also run the credential plugin that the kubeconfig names.
 */
export const whatRuns = {
  check: `${code}, and the TypeScript of its project; nothing with --no-execution`,
  assemble: `${evaluated}; commands of a Tiltfile are announced`,
  graph: `${code}; commands of a Tiltfile are announced`,
  types: evaluated,
  plan: `${code}, and its providers, to plan`,
  apply: `${code}, image builders, and its providers`,
  import: "the program, and the provider of the resource",
  destroy: `${nothing}; the providers of its project, to delete`,
  status: nothing,
  names: nothing,
  rename: nothing,
  refresh: `${nothing}; the providers of its project, to look`,
  logs: `${nothing}; the providers of its project, to fetch logs`,
  stats: `${nothing}; the providers of its project, to fetch numbers`,
  init: "nothing",
  up: `${code}, image builders, local commands and servers, custom deploys, and providers`,
  ci: `${code}, image builders, local commands and servers, custom deploys, and providers`,
  down: "providers, to delete; of a Tiltfile its code, and the delete commands of its custom deploys",
  trigger: "nothing itself: the `keelson up` that runs updates the component",
  explain: `${nothing}; ytt, for templates that are written in it`,
  validate: nothing,
  dashboard: "nothing without a source; with one its code and its providers, to plan and to apply",
  controller:
    "plugins of bundles from the folder of --plugins, and ytt, for templates that are written in it",
  install: "nothing",
  "live init": "nothing",
  "live plan": `${code}, and its providers, to plan`,
  "live apply": `${code}, image builders, and its providers`,
  "live status": nothing,
  "live destroy": nothing,
  "live recover": nothing,
  "live migrate": nothing,
  "sandbox serve":
    "nothing; with --allow-processes the commands that objects name in an annotation",
  "sandbox snapshot": "nothing",
  "sandbox restore": "nothing",
} as const satisfies Readonly<Record<string, string>>;

export type RunnableCommand = keyof typeof whatRuns;
