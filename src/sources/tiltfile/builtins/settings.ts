import { parseImageReference } from "../../../assembly/index.ts";
import {
  bool,
  EvaluationError,
  hostFunction,
  int,
  optionalOrNone,
  required,
  text,
  type Convert,
  type Value,
} from "../../starlark/index.ts";
import { texts, filePatterns } from "../tiltfile-arguments.ts";
import type { TiltfileState } from "../tiltfile-state.ts";
import { durationArgument } from "./duration.ts";
import { present } from "./present.ts";
import { versionConstraint } from "./version-constraint.ts";

/** Settings of the run as a whole. */
export function settingsFunctions(state: TiltfileState): Readonly<Record<string, Value>> {
  const { settings } = state;
  return {
    update_settings: hostFunction("update_settings", (call) => {
      const given = call.unpack({
        max_parallel_updates: optionalOrNone(positive),
        k8s_upsert_timeout_secs: optionalOrNone(positive),
        suppress_unused_image_warnings: optionalOrNone(texts),
        k8s_server_side_apply: optionalOrNone(serverSideApply),
      });
      Object.assign(
        settings,
        present({
          mostParallelUpdates: given.max_parallel_updates,
          applyTimeoutSeconds: given.k8s_upsert_timeout_secs,
          serverSideApply: given.k8s_server_side_apply,
        }),
      );
      settings.unusedImagesAllowed = [
        ...settings.unusedImagesAllowed,
        ...(given.suppress_unused_image_warnings ?? []),
      ];
      return null;
    }),

    ci_settings: hostFunction("ci_settings", (call) => {
      const given = call.unpack({
        k8s_grace_period: optionalOrNone(durationArgument),
        timeout: optionalOrNone(durationArgument),
        readiness_timeout: optionalOrNone(durationArgument),
      });
      settings.ci = {
        ...settings.ci,
        ...present({
          gracePeriodMs: given.k8s_grace_period,
          timeoutMs: given.timeout,
          readinessTimeoutMs: given.readiness_timeout,
        }),
      };
      return null;
    }),

    watch_settings: hostFunction("watch_settings", (call) => {
      const { ignore } = call.unpack({ ignore: required(filePatterns) });
      const directory = state.directoryOf(call);
      const added = ignore.map((pattern) => ({ pattern, directory }));
      settings.watchIgnore = [...settings.watchIgnore, ...added];
      return null;
    }),

    secret_settings: hostFunction("secret_settings", (call) => {
      const given = call.unpack({ disable_scrub: optionalOrNone(bool) });
      settings.showsSecrets = given.disable_scrub ?? settings.showsSecrets;
      return null;
    }),

    version_settings: hostFunction("version_settings", (call) => {
      const { constraint = "" } = call.unpack({
        check_updates: optionalOrNone(bool),
        constraint: optionalOrNone(versionConstraint),
      });
      if (constraint !== "") settings.versionConstraint = constraint;
      return null;
    }),

    default_registry: hostFunction("default_registry", (call) => {
      const given = call.unpack({
        host: required(text),
        host_from_cluster: optionalOrNone(text),
        single_name: optionalOrNone(text),
      });
      if (settings.defaultRegistry !== undefined) {
        throw new EvaluationError("default_registry: it can only be called once");
      }
      if (given.host === "") throw new EvaluationError("default_registry: host is empty");
      const { host_from_cluster: hostFromCluster = "", single_name: singleName = "" } = given;
      for (const host of [given.host, hostFromCluster])
        if (host !== "" && !isRegistry(host))
          throw new EvaluationError(
            `default_registry: ${JSON.stringify(host)} is no registry: write host, host:port or host/path`,
          );
      settings.defaultRegistry = {
        host: given.host,
        ...(hostFromCluster === "" ? {} : { hostFromCluster }),
        ...(singleName === "" ? {} : { singleName }),
      };
      return null;
    }),
  };
}

/** Whether images can be named below it as they are: `shop` alone would be a folder of docker.io. */
function isRegistry(host: string): boolean {
  return parseImageReference(`${host}/image`)?.repository === `${host}/image`;
}

const positive: Convert<number> = (value) => {
  const number = int(value);
  if (number >= 1) return number;
  throw new EvaluationError(`got ${number}, want at least 1`);
};

const serverSideApply: Convert<"auto" | "false" | "true"> = (value) => {
  const given = typeof value === "boolean" ? String(value) : text(value).toLowerCase();
  if (given === "auto" || given === "true" || given === "false") return given;
  throw new EvaluationError(`got ${JSON.stringify(given)}, want "true", "false" or "auto"`);
};
