import { assemblyCodes } from "./assembly.ts";
import { bundleCodes } from "./bundles.ts";
import { blueprintCodes } from "./blueprints.ts";
import { checkCodes } from "./check.ts";
import { cliCodes } from "./cli.ts";
import { clusterCodes } from "./cluster.ts";
import { controllerCodes } from "./controller.ts";
import { devloopCodes } from "./devloop.ts";
import { dashboardCodes } from "./dashboard.ts";
import { hydrateCodes } from "./hydrate.ts";
import { imageCodes } from "./images.ts";
import { liveCodes } from "./live.ts";
import { objectCodes } from "./objects.ts";
import { outputCodes } from "./outputs.ts";
import { programCodes } from "./programs.ts";
import { providerCodes } from "./providers.ts";
import { readinessCodes } from "./readiness.ts";
import { sandboxCodes } from "./sandbox.ts";
import { schemaCodes } from "./schema.ts";
import { starlarkCodes } from "./starlark.ts";
import { tiltfileCodes } from "./tiltfile.ts";
import type { DiagnosticCodeDoc } from "./code-doc.ts";

/** Every code there is, with its entry of the reference page. Codes are stable: never reused. */
export const diagnosticCodes = {
  ...cliCodes,
  ...checkCodes,
  ...objectCodes,
  ...clusterCodes,
  ...sandboxCodes,
  ...liveCodes,
  ...schemaCodes,
  ...readinessCodes,
  ...outputCodes,
  ...starlarkCodes,
  ...tiltfileCodes,
  ...hydrateCodes,
  ...assemblyCodes,
  ...imageCodes,
  ...programCodes,
  ...providerCodes,
  ...controllerCodes,
  ...bundleCodes,
  ...blueprintCodes,
  ...devloopCodes,
  ...dashboardCodes,
} as const satisfies Record<string, DiagnosticCodeDoc>;

export type DiagnosticCode = keyof typeof diagnosticCodes;
export type { DiagnosticCodeDoc } from "./code-doc.ts";
