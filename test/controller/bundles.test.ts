import { bundleScenarios } from "./bundle-scenarios.ts";

bundleScenarios(() => undefined);
