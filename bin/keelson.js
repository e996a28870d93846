#!/usr/bin/env node
// Kept in plain, old JavaScript so that an old Node can still say what is wrong with it.
import { readFileSync } from "node:fs";
import module from "node:module";

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
  const { main } = await import("../dist/cli.js");
  process.exitCode = await main(args, version);
  endSoon();
}

// What a provider or a program left open must not keep the process alive. What is still to be printed must.
function endSoon() {
  setTimeout(() => {
    if (process.stdout.writableLength + process.stderr.writableLength > 0) endSoon();
    else process.exit();
  }, 500).unref();
}
