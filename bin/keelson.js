#!/usr/bin/env node
// Kept in plain, old JavaScript so that an old Node can still say what is wrong with it.
import { readFileSync } from "node:fs";
import module from "node:module";
import v8 from "node:v8";

const oldestNode = 24;
const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
const args = process.argv.slice(2);

if (Number(process.versions.node.split(".")[0]) < oldestNode) {
  process.stderr.write(
    `keelson ${version} needs Node ${oldestNode} or newer; this is ${process.version}.\n`,
  );
  process.exitCode = 1;
} else if (args.length === 1 && (args[0] === "--version" || args[0] === "-v")) {
  process.stdout.write(`${version}\n`);
} else {
  module.enableCompileCache();
  // Answers of an API server live long enough to make the young generation of the heap grow to a
  // hundred megabytes, without gain in speed; left as small as it begins, it is collected a hundred
  // times in a second. So it may grow once, while the code is loaded. A server that runs for days may
  // have all of it.
  if (args[0] !== "sandbox") v8.setFlagsFromString("--semi-space-growth-factor=8");
  const { main } = await import("../dist/cli.js");
  process.exitCode = await main(args, version);
}
