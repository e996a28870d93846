import { createHash } from "node:crypto";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import type { Answer, SendOptions, Target } from "../conformance/target.ts";

/** Keeps every answer of a real API server in a file, by request: rules can be written without it being there. */
export function recordAnswers(target: Target, file: string): Target {
  writeFileSync(file, "");
  return {
    send: async (options) => {
      const answer = await target.send(options);
      appendFileSync(file, `${JSON.stringify([keyOf(options), answer])}\n`);
      return answer;
    },
    close: target.close,
  };
}

/** Answers as recorded; a request that was not made then is an error of the server. */
export function replayAnswers(file: string): Target {
  const lines = readFileSync(file, "utf8").trimEnd().split("\n");
  // Of the same request, such as one that waits for a kind, the last answer counts.
  const recorded = new Map(lines.map((line) => JSON.parse(line) as [string, Answer]));
  return {
    send: (options) => {
      const found = recorded.get(keyOf(options));
      if (found === undefined) {
        return Promise.reject(new Error(`${options.method} ${options.path} was not recorded`));
      }
      return Promise.resolve(found);
    },
    close: () => {},
  };
}

function keyOf({ method, path, body = "" }: SendOptions): string {
  return createHash("sha256").update(`${method} ${path}\n${body}`).digest("base64");
}
