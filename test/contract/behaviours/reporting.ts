/** What is reported, what is recorded, and what never is. */
import { expect } from "vitest";
import { type Behaviour, expectFine } from "../behaviour.ts";
import { type Cell, until } from "../cell.ts";
import { madeUp } from "../line.ts";
import { patienceMs } from "../../patience.ts";
import { base64, fixedSecret, map } from "../parts.ts";

/** So often a write is tried within 2 s: by then its cause must be reported, whatever is retried. */
const mostTries = 8;

export const reporting: readonly Behaviour[] = [
  {
    name: "masks values of Secrets",
    given: "a Secret that is made, taken from, and then refused because it cannot be changed",
    must: "neither value is in any output, status, Event, log or history",
    expect: async (cell) => {
      const values = ["correct-horse", "battery-staple"];
      const user = {
        ...map("user", { url: "" }),
        takes: { from: "secret", path: "data.password", into: "data.url" },
      };
      for (const password of values)
        await cell.way.apply([fixedSecret("secret", { password }), user]);
      const reported = (await cell.way.reported()) + (await cell.way.history());
      expect(reported).toContain("secret");
      for (const value of values) {
        expect(reported).not.toContain(value);
        expect(reported).not.toContain(base64(value));
      }
    },
  },
  {
    name: "records which fields a run changed (history)",
    given: "an object of which a field changes",
    must: "the history of the inventory, or of the owner, names the object and the field",
    expect: async (cell) => {
      expectFine(await cell.way.apply([map("a", { color: "blue" })]));
      expectFine(await cell.way.apply([map("a", { color: "red" })]));
      const history = await cell.way.history();
      expect(history).toContain("data.color");
      expect(history).toContain("ConfigMap");
      expect(history).not.toContain("red");
    },
  },
  {
    name: "reports the cause of a failed write within a few tries, while it retries",
    given: "a server that answers every write of an object with 500",
    must: "after the tries of 2 s the run, or the status of the owner, says so",
    expect: (cell) => reportsRefusal(cell, 500),
  },
  {
    name: "reports an unavailable server within a few tries, while it retries",
    given: "a server that answers every write of an object with 503",
    must: "after the tries of 2 s the run, or the status of the owner, says so",
    expect: (cell) => reportsRefusal(cell, 503),
  },
];

/** Has every write of an object refused, and waits until that is reported. */
async function reportsRefusal({ way }: Cell, status: 500 | 503): Promise<void> {
  const first = Promise.withResolvers<void>();
  let tries = 0;
  way.line.intercept = (call) => {
    if (!way.isOwnWrite(call) || !call.path.includes("/configmaps")) return undefined;
    tries++;
    first.resolve();
    return status;
  };
  const run = way.apply([map("a")], { readyWithinMs: patienceMs });
  await first.promise;
  try {
    await until(
      async () => {
        const before = tries;
        const reported = withoutLog(await way.reported());
        const isReported = reported.includes(madeUp) || reported.includes(`(${status})`);
        if (!isReported && before > mostTries)
          throw new Error(`nothing was reported after ${before} tries`);
        return isReported;
      },
      "the cause is reported",
      patienceMs,
    );
  } finally {
    way.line.intercept = () => undefined;
    await run;
  }
}

/** Lines of a log are for the operator of a controller only. */
function withoutLog(text: string): string {
  return text
    .split("\n")
    .filter((line) => !line.startsWith('{"level"'))
    .join("\n");
}
