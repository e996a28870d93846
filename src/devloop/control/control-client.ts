import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import { createInterface } from "node:readline";
import type { TimedEvent } from "../../events/index.ts";
import type { DevSnapshot } from "../dev-state.ts";
import { type ControlAddress, readControlFile } from "./control-file.ts";

const answerMs = 5_000;

/** The dev loop that runs for a project: the one that was noted, if it still answers to its token. */
export async function findControl(
  folder: string,
  name: string,
): Promise<ControlAddress | undefined> {
  const address = readControlFile(folder, name);
  if (address === undefined) return undefined;
  try {
    const answer = await ask(address, "GET", "/alive", undefined, AbortSignal.timeout(answerMs));
    answer.resume();
    return answer.statusCode === 200 ? address : undefined;
  } catch {
    return undefined;
  }
}

/** Asks the dev loop of a project to update a component; the components it has, when it has not that one. */
export async function requestTrigger(
  address: ControlAddress,
  component: string,
): Promise<{ readonly isKnown: boolean; readonly components: readonly string[] }> {
  const answer = await ask(address, "POST", "/trigger", JSON.stringify({ component }));
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  const { components = [] } = JSON.parse(text) as { readonly components?: readonly string[] };
  return { isKnown: answer.statusCode === 200, components };
}

/** The components of the dev loop of a project. */
export async function componentNames(address: ControlAddress): Promise<readonly string[]> {
  const signal = AbortSignal.timeout(answerMs);
  const answer = await ask(address, "GET", "/snapshot", undefined, signal);
  let text = "";
  for await (const chunk of answer) text += String(chunk);
  const { components } = JSON.parse(text) as DevSnapshot;
  return components.map(({ name }) => name);
}

export type LogStreamEvent = TimedEvent | LiveEvent;

/** All that was logged before has been told. */
export interface LiveEvent {
  readonly type: "live";
  /** The loop itself, and components with nothing in the cluster yet: nobody else knows of their logs. */
  readonly onlyHere: readonly string[];
}

/** What a dev loop has logged, then `live`, then what it logs from now on; until it ends. */
export async function* controlLogs(
  address: ControlAddress,
  signal: AbortSignal,
): AsyncGenerator<LogStreamEvent> {
  const answer = await ask(address, "GET", "/events?logs=true", undefined, signal);
  const lines = createInterface({ input: answer });
  try {
    for await (const line of lines) yield JSON.parse(line) as LogStreamEvent;
  } catch {
    // The other side has gone, in whichever way.
  } finally {
    answer.destroy();
  }
}

function ask(
  { port, token }: ControlAddress,
  method: string,
  path: string,
  body?: string,
  signal?: AbortSignal,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port,
        path,
        method,
        agent: false,
        headers: { authorization: `Bearer ${token}` },
        ...(signal === undefined ? {} : { signal }),
      },
      resolve,
    );
    sent.once("error", reject);
    sent.end(body);
  });
}
