import { chainAttackScenarios, runnableAttackScenarios } from "./chain-attack-scenarios.ts";

chainAttackScenarios(() => undefined);
runnableAttackScenarios(() => undefined);
