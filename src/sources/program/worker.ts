/**
 * What a worker starts with. Compiled modules are kept from one evaluation to the next, which has to
 * be asked for before the first of them is loaded.
 */
import { enableCompileCache } from "node:module";

enableCompileCache();
await import("./run-worker.ts");
