import { bundleAttackScenarios } from "./bundle-attack-scenarios.ts";

bundleAttackScenarios(() => undefined);
