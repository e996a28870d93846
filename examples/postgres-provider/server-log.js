import { setTimeout as pause } from "node:timers/promises";
import { withServer } from "./connection.js";

const chunkBytes = 256 * 1024;
const lookAgainMs = 250;

/**
 * What the server logged of a role or a database. It needs a server that collects its log as JSON
 * (`logging_collector = on`, `log_destination = 'jsonlog'`); others tell what is going on right now.
 */
export async function* serverLog(kind, id, { follow, sinceMs = 0 }, context) {
  const name = (await kind.read(id, context))?.name;
  if (name === undefined) return;
  const own = (line) => line.name === name && (line.timeMs ?? sinceMs) >= sinceMs;
  // A server that logs every statement logs our own looking, too: without following, only what was
  // there at the beginning counts, or there would be no end.
  const end = follow ? undefined : await withServer(context, endOfLog);
  let position = { file: "", offset: 0 };
  while (!context.signal.aborted) {
    const { lines, next } = await withServer(context, (query) =>
      readOn(query, position, kind.logField),
    );
    for (const { text, timeMs } of lines.filter(own)) yield { text, timeMs };
    const isRead = next.file === position.file && next.offset === position.offset;
    position = next;
    const hasEnded = next.file === end?.file && next.offset >= end.offset;
    if (!follow && (isRead || hasEnded)) return;
    if (!isRead) continue;
    await pause(lookAgainMs, undefined, { signal: context.signal }).catch(() => {});
  }
}

async function endOfLog(query) {
  const [{ current }] = await query("SELECT pg_current_logfile('jsonlog') AS current");
  if (current === null) return undefined;
  const [row] = await query("SELECT size FROM pg_stat_file($1, true)", [current]);
  return { file: current, offset: Number(row?.size ?? 0) };
}

async function readOn(query, { file, offset }, field) {
  const [{ current }] = await query("SELECT pg_current_logfile('jsonlog') AS current");
  if (current === null) return activity(query, file, field);
  // The server goes on in another file from time to time: the old one is read to its end first.
  const path = file === "" ? current : file;
  const [{ text }] = await query("SELECT pg_read_binary_file($1, $2, $3, true) AS text", [
    path,
    offset,
    chunkBytes,
  ]);
  const bytes = text ?? Buffer.alloc(0);
  const end = bytes.lastIndexOf(0x0a) + 1;
  if (end === 0 && path !== current) return { lines: [], next: { file: current, offset: 0 } };
  const lines = bytes
    .subarray(0, end)
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => readLine(line, field));
  return { lines, next: { file: path, offset: offset + end } };
}

function readLine(line, field) {
  const entry = JSON.parse(line);
  const timeMs = Date.parse(
    entry.timestamp
      .replace(" ", "T")
      .replace(" ", "")
      .replace(/(UTC|GMT)$/, "Z"),
  );
  const text = `${entry.error_severity}: ${entry.message}`;
  return { name: entry[field], text, ...(Number.isNaN(timeMs) ? {} : { timeMs }) };
}

async function activity(query, file, field) {
  if (file === "activity") return { lines: [], next: { file, offset: 0 } };
  const rows = await query(
    `SELECT ${field === "user" ? "usename" : "datname"} AS name, pid, state, query FROM pg_stat_activity`,
  );
  const lines = rows.map(({ name, pid, state, query }) => ({
    name,
    text: `${pid} ${state ?? "-"}: ${query}`,
    timeMs: Date.now(),
  }));
  return { lines, next: { file: "activity", offset: 0 } };
}
