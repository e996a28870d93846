/**
 * `npm run fidelity`: does the sandbox judge objects as a real API server does? Sends both valid objects with one change
 * each, and writes what differs to bench/results/fidelity.md. Ends with 1 when a goal is missed.
 */
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { namedFields } from "../test/fidelity/compare-answers.ts";
import { type Judged, fuzz } from "../test/fidelity/fuzz.ts";
import { largestClasses } from "../test/fidelity/largest-classes.ts";
import { recordAnswers, replayAnswers } from "../test/fidelity/recorded-answers.ts";
import { type Servers, besideSandbox, startServers } from "../test/fidelity/servers.ts";
import {
  type Counts,
  Tally,
  acceptedShare,
  missedGoals,
  percent,
  sameFieldShare,
  sumOf,
} from "../test/fidelity/tally.ts";
import { root } from "./run.ts";

const help = `Usage: npm run fidelity -- [options]

Sends changed objects to the sandbox and to a real API server, and compares the answers.

  --seed N        repeats the run of a seed (default: a new one)
  --mutations N   how many changes to try (default: 60000)
  --kind KIND     only objects of this kind, such as Deployment; writes no table
  --failures FILE where to write each difference (default: in the folder for temporary files)
  --record FILE   keeps the real server's answers
  --replay FILE   takes them from there, of the same seed and number, without the real server
  --help          shows this text`;

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    mutations: { type: "string", default: "60000" },
    kind: { type: "string" },
    failures: { type: "string", default: join(tmpdir(), "keelson-fidelity.json") },
    record: { type: "string" },
    replay: { type: "string" },
    help: { type: "boolean", default: false },
  },
});

if (values.help) console.log(help);
else await run();

async function run(): Promise<void> {
  const seed = Number(values.seed ?? Date.now() % 2 ** 31);
  console.log(`seed ${seed}`);
  const tally = new Tally();
  const servers = await chooseServers();
  try {
    const kind = values.kind === undefined ? {} : { kind: values.kind };
    const options = { seed, mutations: Number(values.mutations), report: console.log, ...kind };
    await fuzz(servers, options, tally.add);
  } finally {
    await servers.close();
  }
  writeFileSync(values.failures, JSON.stringify(tally.failures.map(readable), null, 1));
  const table = tableOf(tally);
  console.log(`\n${largestClasses(tally.failures, 40).join("\n")}\n\n${table}`);
  console.log(`\nEvery difference is in ${values.failures}`);
  if (values.kind === undefined) {
    writeFileSync(join(root, "bench/results/fidelity.md"), pageOf(seed, tally, table));
  }
  const missed = missedGoals(tally.total());
  for (const line of missed) console.log(line);
  process.exitCode = missed.length === 0 ? 0 : 1;
}

async function chooseServers(): Promise<Servers> {
  const { record, replay } = values;
  if (replay !== undefined) return besideSandbox(replayAnswers(replay), async () => {});
  const servers = await startServers(console.log);
  if (record === undefined) return servers;
  return { ...servers, real: recordAnswers(servers.real, record) };
}

function readable({ kind, name, verb, mutation, outcome, real, sandbox }: Judged): unknown {
  const answer = (reply: Judged["real"]): unknown => ({
    status: reply.status,
    ...(reply.status < 300 ? {} : { fields: namedFields(reply), message: reply.body["message"] }),
  });
  return {
    outcome,
    kind,
    object: name,
    verb,
    path: mutation.path.join("."),
    change: mutation.what,
    value: mutation.value,
    real: answer(real),
    sandbox: answer(sandbox),
  };
}

function tableOf(tally: Tally): string {
  return [
    "| kind | mutations | both accept | both refuse | valid refused | invalid accepted | same fields named |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
    ...tally.kinds().map(([kind, counts]) => rowOf(kind, counts)),
    rowOf("**all**", tally.total()),
  ].join("\n");
}

function rowOf(kind: string, counts: Counts): string {
  const both = counts["both refuse"] + counts["other field"];
  const accepted = counts["invalid accepted"];
  const cells = [
    kind,
    sumOf(counts),
    counts["both accept"],
    both,
    counts["valid refused"],
    accepted === 0 ? "0" : `${accepted} (${percent(acceptedShare(counts))})`,
    percent(sameFieldShare(counts)),
  ];
  return `| ${cells.join(" | ")} |`;
}

function pageOf(seed: number, tally: Tally, table: string): string {
  const missed = missedGoals(tally.total());
  return `# The sandbox's judgement of objects

Written by \`npm run fidelity\`: valid objects with one change each are sent as dry runs, creates and updates, to
kube-apiserver 1.36.3 and to the sandbox. Goals: no valid object refused, at most 0.5 % of the invalid ones accepted, the same
fields named in 98 % of the refusals.

Seed ${seed}; ${new Date().toISOString().slice(0, 10)}. ${missed.length === 0 ? "All goals are met." : `Missed: ${missed.join("; ")}.`}

${table}
`;
}
