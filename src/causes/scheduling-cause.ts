interface Obstacle {
  readonly pattern: RegExp;
  readonly words: (nodes: string, found: RegExpExecArray) => string;
}

const obstacles: readonly Obstacle[] = [
  {
    pattern: /^(\d+) Insufficient (\S+)$/,
    words: (nodes, found) => `${nodes} ${verb(found, "lacks", "lack")} ${resourceName(found[2])}`,
  },
  {
    pattern: /^(\d+) Too many pods$/,
    words: (nodes, found) => `${nodes} ${verb(found, "runs", "run")} as many pods as allowed`,
  },
  {
    pattern: /^(\d+) node\(s\) didn't match Pod's node affinity\/selector$/,
    words: (nodes, found) =>
      `${nodes} ${verb(found, "does", "do")} not match the node selector or affinity`,
  },
  {
    pattern: /^(\d+) node\(s\) had untolerated taint(?:s|\(s\))?(?: \{(.*)\})?$/,
    words: (nodes, found) =>
      `${nodes} ${verb(found, "has", "have")} a taint that is not tolerated${found[2] === undefined ? "" : ` (${found[2].replace(/: *$/, "")})`}`,
  },
  {
    pattern: /^(\d+) node\(s\) were unschedulable$/,
    words: (nodes, found) => `${nodes} ${verb(found, "is", "are")} cordoned`,
  },
  {
    pattern: /^(\d+) node\(s\) had volume node affinity conflict$/,
    words: (nodes, found) =>
      `${nodes} cannot reach ${Number(found[1]) === 1 ? "its" : "the"} volume`,
  },
  {
    pattern: /^(\d+) node\(s\) didn't match pod anti-affinity rules$/,
    words: (nodes) => `${nodes} already run a pod that it must be apart from`,
  },
];

/** Why no node takes a pod, from what the scheduler writes. */
export function schedulingSummary(message: string): string {
  if (/no nodes available/.test(message)) return "no node fits: the cluster has no nodes";
  const unbound = /unbound immediate PersistentVolumeClaims/.test(message);
  if (unbound) return "no node is chosen: a PersistentVolumeClaim of the pod is not bound";
  const claim = /persistentvolumeclaim "([^"]+)" (not found|is being deleted)/.exec(message);
  if (claim !== null)
    return `PersistentVolumeClaim ${claim[1] ?? ""} ${claim[2] === "not found" ? "does not exist" : "is being deleted"}`;
  const parts = /^\d+\/\d+ nodes are available: (.*)$/s.exec(message)?.[1];
  if (parts === undefined) return `no node fits: ${firstSentence(message)}`;
  // The taints are lists with commas in them, and what preemption would do comes behind a full stop.
  const told = parts.replace(/\.? *(?:preemption: .*|no new claims .*)?$/s, "");
  const reasons = told.split(/, (?=\d+ )/).map((part) => obstacleText(part.replace(/\.$/, "")));
  return `no node fits: ${reasons.join(", ")}`;
}

function obstacleText(part: string): string {
  for (const { pattern, words } of obstacles) {
    const found = pattern.exec(part);
    if (found !== null) return words(nodesText(Number(found[1])), found);
  }
  return part;
}

function nodesText(count: number): string {
  return count === 1 ? "1 node" : `${count} nodes`;
}

function verb(found: RegExpExecArray, one: string, several: string): string {
  return Number(found[1]) === 1 ? one : several;
}

/** Resources of vendors keep their names. */
function resourceName(name = ""): string {
  return name === "cpu" ? "CPU" : name;
}

export function firstSentence(text: string): string {
  return text.split(/\.\s|\n/)[0]?.replace(/\.$/, "") ?? text;
}
