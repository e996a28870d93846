import { join, resolve } from "node:path";
import { shellWord } from "../../diagnostics/index.ts";
import { defaultDataFolder, serveSandbox } from "../../sandbox/index.ts";
import type { CommandHandler } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { interrupted } from "../interrupted.ts";
import { report } from "../report.ts";
import { writeKubeconfig } from "../write-kubeconfig.ts";
import type { SandboxFlags } from "./sandbox.ts";

export const runSandbox: CommandHandler<SandboxFlags, []> = async (context, flags) => {
  const { stdout } = context.process;
  const started = performance.now();
  const folder = resolve(
    context.workingDirectory,
    flags.data ?? defaultDataFolder(context.process.env),
  );
  const served = await serveSandbox({
    folder,
    ...(flags.port === undefined ? {} : { port: flags.port }),
    fresh: flags.fresh,
    workloads: !flags.empty,
    allowProcesses: flags.allowProcesses,
    onProblem: (diagnostics) => {
      report(context, diagnostics, flags.output);
    },
  });
  const kubeconfig = resolve(
    context.workingDirectory,
    flags.kubeconfig ?? join(folder, "kubeconfig"),
  );
  await writeKubeconfig(kubeconfig, served);
  // Whoever reads that it is ready may stop it at once.
  const stopped = interrupted();
  const readyMs = Math.round(performance.now() - started);
  if (flags.output === "json") {
    stdout.write(
      `${JSON.stringify({ type: "ready", url: served.url, kubeconfig, data: folder, readyMs })}\n`,
    );
  } else {
    const { bold, dim } = context.style.stdout;
    if (served.setAside !== undefined)
      stdout.write(`The former objects are kept in ${served.setAside}\n`);
    stdout.write(
      `${bold("The sandbox serves")} ${served.url} ${dim(`(ready in ${readyMs} ms, data in ${folder})`)}\n`,
    );
    stdout.write(
      `  export KUBECONFIG=${shellWord(kubeconfig)}\n  kubectl get namespaces\n${dim("Ctrl-C stops it; its objects stay.")}\n`,
    );
  }
  await stopped;
  await served.close();
  return exitCode.success;
};
