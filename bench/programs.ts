/**
 * Evaluates programs of a growing number of resources, from the start of the worker to the graph as
 * data, and prints the time of each and what one resource costs.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { evaluateProgram } from "../src/sources/program/index.ts";

const sizes = [10, 1000, 2500, 5000, 10_000];
const perTeam = 10;

/** Teams of ten: a class, and ConfigMaps and Services that use each other's properties. */
const program = (count: number): string => `
import { k8s, Resource } from "keelson";
class Team extends Resource {
  constructor(id: string) {
    super(id, {});
    let last: k8s.ConfigMap | undefined;
    for (let i = 0; i < 4; i++) {
      last = new k8s.ConfigMap("c" + i, { data: { last: last === undefined ? "" : last.metadata.name } });
      new k8s.Service("s" + i, { spec: { ports: [{ port: 80 }], externalName: \`x-\${last.metadata.uid}\` } });
    }
    new k8s.Secret({ stringData: { last: last!.metadata.name } });
  }
}
for (let i = 0; i < ${count / perTeam}; i++) new Team("t" + i);
`;

const folder = mkdtempSync(join(tmpdir(), "keelson-bench-"));
try {
  writeFileSync(join(folder, "keelson.json"), '{ "project": "bench" }');
  for (const count of sizes) {
    const path = join(folder, `main-${count}.ts`);
    writeFileSync(path, program(count));
    const started = performance.now();
    const { graph, diagnostics, close } = await evaluateProgram({
      path,
      workingFolder: folder,
      print: (text) => process.stderr.write(text),
    });
    const elapsedMs = performance.now() - started;
    await close();
    if (diagnostics.length > 0) throw new Error(diagnostics[0]?.summary);
    const each = ((elapsedMs / graph.resources.length) * 1000).toFixed(0);
    console.log(
      `${String(graph.resources.length).padStart(6)} resources  ${elapsedMs.toFixed(0).padStart(5)} ms  ${each.padStart(6)} µs each`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
