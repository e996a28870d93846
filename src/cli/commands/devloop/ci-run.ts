import { resolve } from "node:path";
import { causeDetails } from "../../../causes/index.ts";
import { type CiVerdict, ciVerdict, type DevState, isReady } from "../../../devloop/index.ts";
import type { CommandHandler } from "../../command.ts";
import type { CliContext } from "../../context.ts";
import { formatDuration } from "../../duration.ts";
import { type ExitCode, exitCode } from "../../exit-code.ts";
import { stopOnInterrupt } from "../../stop-on-interrupt.ts";
import { devLinesView } from "../../views/dev-lines-view.ts";
import { jsonView } from "../../views/json-view.ts";
import { junitReport } from "../../views/junit-report.ts";
import type { CiFlags } from "./ci.ts";
import { devArguments } from "./dev-arguments.ts";
import { type OpenedDevLoop, openDevLoop } from "./open-dev-loop.ts";
import { openReport } from "./report-file.ts";

const defaultTimeoutMs = 30 * 60_000;

export const runCi: CommandHandler<CiFlags, string[]> = async (context, flags, ...words) => {
  const report =
    flags.junit === undefined
      ? undefined
      : openReport(resolve(context.workingDirectory, flags.junit));
  const opened = await openDevLoop(context, flags, await devArguments(context, words), "ci");
  const { state } = opened.loop;
  const interrupt = stopOnInterrupt(context.process.stderr);
  const view = flags.output === "json" ? jsonView(context.process.stdout) : devLinesView(context);
  const stopShowing = state.subscribe(view.show);
  const started = Date.now();
  try {
    const ended = await runToEnd(opened, flags, interrupt.signal);
    const snapshot = state.snapshot();
    report?.write(junitReport(opened.name, snapshot, Date.now() - started));
    if (flags.output === "json")
      context.process.stdout.write(
        `${JSON.stringify({ type: "snapshot", result: ended.kind, ...snapshot })}\n`,
      );
    else tell(context, ended, state, Date.now() - started);
    return interrupt.signal.aborted ? exitCode.interrupted : codes[ended.kind];
  } finally {
    stopShowing();
    view.close();
    await opened.close();
    interrupt.release();
  }
};

type End =
  | Exclude<CiVerdict, { readonly kind: "running" }>
  | { readonly kind: "timeout"; readonly waitsFor: readonly string[] }
  | { readonly kind: "unreadable" }
  | { readonly kind: "interrupted" };

const codes: Readonly<Record<End["kind"], ExitCode>> = {
  ready: exitCode.success,
  failed: exitCode.failed,
  timeout: exitCode.failed,
  unreadable: exitCode.invalid,
  interrupted: exitCode.interrupted,
};

async function runToEnd(
  { loop, loaded }: OpenedDevLoop,
  flags: CiFlags,
  signal: AbortSignal,
): Promise<End> {
  const { promise, resolve: end } = Promise.withResolvers<End>();
  const timers = new Set<NodeJS.Timeout>();
  const after = (milliseconds: number, act: () => void): void => {
    timers.add(setTimeout(act, Math.max(0, milliseconds)));
  };
  let broken: string | undefined;
  let isLooking = false;
  const awaited = new Set<string>();
  /** What is updated has only so long to become ready. */
  const watchReadiness = (): void => {
    const limitMs = loaded()?.settings?.ci.readinessTimeoutMs;
    if (limitMs === undefined) return;
    for (const { name, update } of loop.state.snapshot().components) {
      if (update.status !== "ok" || awaited.has(`${name}/${update.since}`)) continue;
      awaited.add(`${name}/${update.since}`);
      after(Date.parse(update.since) + limitMs - Date.now(), () => {
        const now = loop.state.component(name);
        if (now === undefined || now.update.since !== update.since || isReady(now)) return;
        const { cause, message: why } = now.runtime;
        const message = cause?.summary ?? `it is not ready in time: ${why}`;
        end({ kind: "failed", component: name, message, cause, isRuntime: true });
      });
    }
  };
  const look = (): void => {
    const verdict = ciVerdict(loop.state.snapshot());
    const graceMs = flags.gracePeriod ?? loaded()?.settings?.ci.gracePeriodMs ?? 0;
    if (verdict.kind === "running") {
      broken = undefined;
      watchReadiness();
    } else if (verdict.kind === "failed" && verdict.isRuntime && graceMs > 0) {
      if (broken === verdict.component) return;
      broken = verdict.component;
      after(graceMs, () => {
        const again = ciVerdict(loop.state.snapshot());
        if (again.kind === "failed") end(again);
      });
    } else {
      end(verdict);
    }
  };
  const stop = loop.state.subscribe((event) => {
    if (event.type === "load" && event.status === "failed") end({ kind: "unreadable" });
    // One look for all that happens in one go, when its consequences are known, too.
    if (event.type !== "component" || isLooking) return;
    isLooking = true;
    setImmediate(() => {
      isLooking = false;
      look();
    });
  });
  signal.addEventListener("abort", () => {
    end({ kind: "interrupted" });
  });
  const timeUp = (): void => {
    const verdict = ciVerdict(loop.state.snapshot());
    end({ kind: "timeout", waitsFor: verdict.kind === "running" ? verdict.waitsFor : [] });
  };
  try {
    if (flags.timeout !== undefined) after(flags.timeout, timeUp);
    // The time may be over, or somebody may interrupt, while the source is read.
    const isOver = await Promise.race([loop.start().then(() => false), promise.then(() => true)]);
    if (isOver) return await promise;
    if (flags.timeout === undefined)
      after(loaded()?.settings?.ci.timeoutMs ?? defaultTimeoutMs, timeUp);
    look();
    return await promise;
  } finally {
    stop();
    for (const timer of timers) clearTimeout(timer);
  }
}

function tell(context: CliContext, ended: End, state: DevState, tookMs: number): void {
  const { stdout } = context.process;
  const { green, red, bold, dim } = context.style.stdout;
  const took = dim(`took ${formatDuration(tookMs)}`);
  const count = state.snapshot().components.length;
  switch (ended.kind) {
    case "ready":
      stdout.write(
        `${green("✓")} ${bold(count === 1 ? "1 component is ready" : `${count} components are ready`)} ${took}\n`,
      );
      return;
    case "failed":
      stdout.write(
        `${red("✗")} ${bold(`${ended.component} failed`)}: ${ended.message} (${took})\n`,
      );
      for (const line of ended.cause === undefined ? [] : causeDetails(ended.cause))
        stdout.write(`  ${dim(line)}\n`);
      return;
    case "timeout":
      stdout.write(
        `${red("✗")} ${bold("the time is over")}; ${count === 0 ? "the source is still being read" : `not ready: ${ended.waitsFor.join(", ")}`} (${took})\n`,
      );
      for (const name of ended.waitsFor) {
        const cause = state.component(name)?.runtime.cause;
        for (const line of cause === undefined ? [] : [cause.summary, ...causeDetails(cause)])
          stdout.write(`  ${name}: ${line}\n`);
      }
      return;
    case "unreadable":
    case "interrupted":
  }
}
