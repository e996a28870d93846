/** Run by a test: opens requests and a watch, closes, and must then end by itself. */
import { connect, Informer } from "../../src/cluster/index.ts";
import { settingsOf } from "./test-settings.ts";

const cluster = connect(await settingsOf(process.argv[2] ?? ""));
const informer = new Informer(cluster, { apiVersion: "v1", kind: "Namespace" });
await informer.synced;
await Promise.all(Array.from({ length: 60 }, () => cluster.version()));
await informer.close();
await cluster.close();
console.log("closed");
