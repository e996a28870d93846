import { bundleWriterScenarios } from "./bundle-writer-scenarios.ts";

bundleWriterScenarios(() => undefined);
