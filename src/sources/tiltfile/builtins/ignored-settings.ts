import { hostFunction, required, text, type Value } from "../../starlark/index.ts";
import type { TiltfileState } from "../tiltfile-state.ts";

/** Functions that only concern Tilt: its features, its cloud, its telemetry, its clean-up. */
const ignored = [
  "analytics_settings",
  "disable_snapshots",
  "docker_prune_settings",
  "experimental_analytics_report",
  "experimental_metrics_settings",
  "experimental_telemetry_cmd",
  "set_team",
];

export function ignoredSettings(state: TiltfileState): Readonly<Record<string, Value>> {
  const functions: Record<string, Value> = {};
  for (const name of ignored) {
    functions[name] = hostFunction(name, (call) => {
      note(name, state.placeOf(call));
      return null;
    });
  }
  for (const [name, isEnabled] of [
    ["enable_feature", true],
    ["disable_feature", false],
  ] as const) {
    functions[name] = hostFunction(name, (call) => {
      const { feature_name: feature } = call.unpack({ feature_name: required(text) });
      state.features[feature] = isEnabled;
      note(name, state.placeOf(call));
      return null;
    });
  }
  return functions;

  function note(name: string, place: ReturnType<TiltfileState["placeOf"]>): void {
    if (!state.ignoredSettings.has(name)) state.ignoredSettings.set(name, place);
  }
}

/** One warning for all of them. */
export function reportIgnoredSettings(state: TiltfileState): void {
  const [first] = state.ignoredSettings.values();
  const names = [...state.ignoredSettings.keys()];
  if (names.length === 0) return;
  state.diagnostics.push({
    code: "tiltfile.ignored-setting",
    severity: "warning",
    summary: `${names.join(", ")}: only Tilt itself knows ${names.length === 1 ? "this; it is" : "these; they are"} ignored`,
    source: first,
  });
}
