import { createPrivateKey, randomBytes, X509Certificate } from "node:crypto";
import { existsSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { makeFolder as makeWholeFolder, stateFolder } from "../processes/index.ts";
import { DiagnosticError, fail } from "../diagnostics/index.ts";
import { keepPrivate, replacePrivateFile } from "../processes/private-file.ts";
import { type Certificates, makeCertificates } from "./server/certificate.ts";
import { damagedData, dataProblem } from "./store/data-problem.ts";
import type { Persistence } from "./store/persistence.ts";
import { openSqlitePersistence } from "./store/sqlite-persistence.ts";

/** What lies in the folder of a sandbox beside its objects. */
export interface Identity {
  readonly token: string;
  readonly certificates: Certificates;
  /** The port it was last served on, so that kubeconfigs stay true. */
  readonly port?: number;
}

/** Who serves the data of a folder at the moment. */
export interface Serving {
  readonly pid: number;
  readonly port: number;
}

const storeFile = "objects.sqlite";
const identityFile = "identity.json";
const servingFile = "serving.json";
const longestWaitMs = 10_000;

/** The user's own folder, of which `HOME` and `XDG_STATE_HOME` decide. */
export function defaultDataFolder(env: Readonly<Partial<Record<string, string>>>): string {
  return stateFolder(env, "sandbox");
}

export function storePath(folder: string): string {
  return join(folder, storeFile);
}

/** Opens the objects of a folder; waits a little for a short command that holds them. */
export async function openPersistence(folder: string): Promise<Persistence> {
  makeFolder(folder);
  requireContents(folder);
  const deadline = Date.now() + longestWaitMs;
  for (;;) {
    try {
      return openSqlitePersistence(join(folder, storeFile));
    } catch (error) {
      const isBusy =
        error instanceof DiagnosticError && error.diagnostics[0]?.code === "sandbox.data-in-use";
      if (!isBusy || readServing(folder) !== undefined || Date.now() > deadline) throw error;
      await pause(50);
    }
  }
}

/** SQLite takes an empty file for a new one. One that was used before has lost its contents. */
function requireContents(folder: string): void {
  const file = join(folder, storeFile);
  const isEmpty = (path: string): boolean =>
    (statSync(path, { throwIfNoEntry: false })?.size ?? 0) === 0;
  if (!existsSync(file) || !isEmpty(file) || !isEmpty(`${file}-wal`)) return;
  if (!existsSync(join(folder, identityFile))) return;
  throw new DiagnosticError([damagedData(`opening the sandbox's data ${file}: it is empty`)]);
}

/** Sets the objects of a folder aside; the old ones stay beside the new. */
export function setAside(folder: string, now: number): string | undefined {
  const file = join(folder, storeFile);
  if (!existsSync(file)) return undefined;
  // Whoever holds the data must not lose it under its hands.
  openForCheck(file);
  const aside = `${file}.${new Date(now).toISOString().replaceAll(/\D/g, "").slice(0, 14)}`;
  keepPrivate(file);
  renameSync(file, aside);
  // What a damaged file has not taken over yet may be all that can be saved.
  if (existsSync(`${file}-wal`)) renameSync(`${file}-wal`, `${aside}-wal`);
  rmSync(`${file}-shm`, { force: true });
  return aside;
}

function openForCheck(file: string): void {
  try {
    openSqlitePersistence(file).close();
  } catch (error) {
    const code = error instanceof DiagnosticError ? error.diagnostics[0]?.code : undefined;
    if (code === "sandbox.data-in-use") throw error;
  }
}

/** The token and certificates of a folder, made when it is first used. */
export function readIdentity(folder: string, now: number): Identity {
  makeFolder(folder);
  const file = join(folder, identityFile);
  if (existsSync(file)) {
    keepPrivate(file);
    return requireIdentity(file);
  }
  const identity = {
    token: randomBytes(24).toString("base64url"),
    certificates: makeCertificates(now),
  };
  writePrivate(file, identity);
  return identity;
}

function requireIdentity(file: string): Identity {
  const text = readText(file);
  try {
    const { token, certificates, port } = JSON.parse(text) as Partial<Identity>;
    const { authority = "", certificate = "", key = "" } = certificates ?? {};
    const isWhole =
      typeof token === "string" &&
      token !== "" &&
      new X509Certificate(authority).ca &&
      new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key));
    const last = isPort(port) ? { port } : {};
    if (isWhole) return { token, certificates: { authority, certificate, key }, ...last };
  } catch {
    // It is said below.
  }
  return fail({
    code: "sandbox.identity-damaged",
    summary: `reading the token and certificate of the sandbox ${file}: the file is damaged`,
    detail: "The objects of the sandbox are safe.",
    hint: `delete ${file}; the next start makes a new token and certificate, and writes a new kubeconfig`,
  });
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw dataProblem(error, "opening", file);
  }
}

function isPort(port: unknown): port is number {
  return typeof port === "number" && Number.isInteger(port) && port > 0 && port < 65_536;
}

export function rememberPort(folder: string, identity: Identity, port: number): void {
  if (identity.port !== port) writePrivate(join(folder, identityFile), { ...identity, port });
}

/** Who serves this folder, unless that process has ended. */
export function readServing(folder: string): Serving | undefined {
  const serving = readJson<Serving>(join(folder, servingFile));
  if (!isPort(serving?.port) || typeof serving?.pid !== "number") return undefined;
  try {
    process.kill(serving.pid, 0);
    return serving;
  } catch {
    return undefined;
  }
}

export function writeServing(folder: string, serving: Serving | undefined): void {
  const file = join(folder, servingFile);
  if (serving === undefined) rmSync(file, { force: true });
  else writePrivate(file, serving);
}

function makeFolder(folder: string): void {
  try {
    makeWholeFolder(folder, { mode: 0o700 });
  } catch (error) {
    throw dataProblem(error, "writing", folder);
  }
}

function readJson<T>(file: string): (Partial<T> & T) | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Partial<T> & T;
  } catch {
    return undefined;
  }
}

function writePrivate(file: string, value: unknown): void {
  try {
    replacePrivateFile(file, `${JSON.stringify(value)}\n`);
  } catch (error) {
    throw dataProblem(error, "writing", file);
  }
}

/** Whether some process serves the data of a folder now. */
export function isServed(folder: string): boolean {
  return readServing(folder) !== undefined;
}
