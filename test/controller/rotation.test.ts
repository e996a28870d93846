import { rotationScenarios } from "./rotation-scenarios.ts";

rotationScenarios(() => undefined);
