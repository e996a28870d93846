import { migrateHelmScenarios } from "./migrate-helm-scenarios.ts";

migrateHelmScenarios(() => undefined, "sandbox");
