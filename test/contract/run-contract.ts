import { afterAll, beforeAll, describe, it } from "vitest";
import { Cell } from "./cell.ts";
import { cellsOn } from "./cells.ts";
import type { KnownFailure } from "./known-failures.ts";
import { ContractServer } from "./server.ts";
import { openWays } from "./table.ts";
import { type ServerName, ways } from "./way-in.ts";

/** Runs every cell of the table on one server: side by side, because most of them wait. */
export function runContract(name: ServerName, kubeconfig: () => string | undefined): void {
  describe.concurrent(`on the ${name}`, () => {
    let server: ContractServer;
    beforeAll(async () => {
      server = await ContractServer.open(kubeconfig());
    });
    afterAll(async () => {
      await server.close();
    });
    const cells = cellsOn(name);
    describe.each(ways)("%s", (way) => {
      for (const { behaviour, is } of cells.filter((each) => each.way === way)) {
        if (is.kind !== "holds" && is.kind !== "fails") continue;
        it(behaviour.name, async () => {
          const patience = is.kind === "fails" ? is.known.patienceMs : undefined;
          const cell = await Cell.open(server, way, openWays[way], patience);
          try {
            const held = behaviour.expect(cell);
            await (is.kind === "fails" ? fails(held, is.known) : held);
          } finally {
            await cell.close();
          }
        });
      }
    });
  });
}

/** Passes when something fails for the reason that is known, and only then. */
async function fails(work: Promise<void>, { wrong, seen }: KnownFailure): Promise<void> {
  const message = await work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
  if (message === undefined)
    throw new Error(`it is mended: take it out of the known failures (${wrong})`);
  if (!seen.test(message)) throw new Error(`it fails, but not because ${wrong}: ${message}`);
}
