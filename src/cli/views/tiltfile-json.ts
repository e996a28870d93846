import type { SourceRange } from "../../diagnostics/index.ts";
import type { TiltfileResult } from "../../sources/tiltfile/index.ts";
import { placeOf } from "./component-json.ts";

/** What a Tiltfile says besides its objects, for programs: builds, commands and settings, each with its place. */
export function tiltfileJson({
  builds,
  localResources,
  customDeploys,
  settings,
}: TiltfileResult): Readonly<Record<string, unknown>> {
  return {
    builds: builds.map(withPlace),
    localResources: localResources.map(withPlace),
    customDeploys: customDeploys.map(withPlace),
    settings,
  };
}

function withPlace({
  source,
  ...declared
}: {
  readonly source?: SourceRange | undefined;
}): Readonly<Record<string, unknown>> {
  return { ...declared, ...(source === undefined ? {} : { source: placeOf(source) }) };
}
