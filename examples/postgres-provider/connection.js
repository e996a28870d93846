import { Client, escapeIdentifier, escapeLiteral } from "pg";

/**
 * Runs queries on a connection of their own, which is closed in any case and when nobody waits.
 *
 * @template T
 * @param {{ signal: AbortSignal }} context
 * @param {(query: (text: string, values?: unknown[]) => Promise<any[]>) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withServer({ signal }, work) {
  const client = new Client({ application_name: "keelson" });
  // A server that goes away makes the query fail; the event would end the whole process.
  client.on("error", () => {});
  const stop = () => void client.end().catch(() => {});
  signal.addEventListener("abort", stop);
  try {
    await client.connect();
    return await work(async (text, values) => (await client.query(text, values)).rows);
  } finally {
    signal.removeEventListener("abort", stop);
    await client.end().catch(() => {});
  }
}

/** A name as SQL takes it. */
export const identifier = escapeIdentifier;

/** A text as SQL takes it. */
export const literal = escapeLiteral;

/** What is written on everything that is made here, so that an interrupted create is recognised. */
export function markOf({ name }) {
  return `keelson: ${name}`;
}

/** A number at this moment. */
export function statNow(name, unit, value) {
  return { name, unit, points: [{ timeMs: Date.now(), value: Number(value) }] };
}
