import { duplicate, notSupported } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { validateContainers } from "./container-validation.ts";
import { validateLabels } from "./metadata-validation.ts";
import { labelProblems, subdomainProblems } from "./names.ts";

/** The spec of a pod or of a pod template. */
export function validatePodSpec(spec: Checker): void {
  const volumes = validateVolumes(spec);
  const names = new Set<string>();
  spec.require("containers");
  validateContainers(spec, "containers", volumes, names);
  validateContainers(spec, "initContainers", volumes, names);
  spec.oneOf("restartPolicy", ["Always", "OnFailure", "Never"]);
  spec.oneOf("dnsPolicy", ["ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"]);
  validateLabels(spec, "nodeSelector");
  spec.named("serviceAccountName", subdomainProblems);
  spec.named("nodeName", subdomainProblems);
  spec.named("hostname", labelProblems);
  spec.named("subdomain", labelProblems);
  spec.between("activeDeadlineSeconds", 1, 2_147_483_647);
  for (const toleration of spec.items("tolerations")) validateToleration(toleration);
}

function validateVolumes(spec: Checker): ReadonlySet<string> {
  const names = new Set<string>();
  for (const volume of spec.items("volumes")) {
    const name = volume.text("name");
    if (volume.require("name")) volume.named("name", labelProblems);
    if (names.has(name)) volume.add(duplicate(volume.field("name"), name));
    const sources = Object.keys(volume.object).filter((key) => key !== "name" && volume.has(key));
    // A volume that is wrong itself cannot be mounted either.
    if (sources.length < 2) names.add(name);
    for (const extra of sources.slice(1)) {
      volume.forbid(extra, "may not specify more than 1 volume type");
    }
    volume.maybe("configMap")?.require("name");
    volume.maybe("secret")?.require("secretName");
    volume.maybe("hostPath")?.require("path");
    volume.maybe("persistentVolumeClaim")?.require("claimName");
  }
  return names;
}

function validateToleration(toleration: Checker): void {
  const operator = toleration.text("operator");
  if (toleration.text("key") === "" && operator !== "Exists") {
    const detail =
      'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    toleration.invalid("operator", operator, detail);
  }
  if (operator === "Exists" && toleration.text("value") !== "") {
    toleration.invalid("operator", operator, "value must be empty when `operator` is 'Exists'");
  }
  if (!["", "Equal", "Exists"].includes(operator)) {
    toleration.add(notSupported(toleration.field("operator"), operator, ["Equal", "Exists"]));
  }
  toleration.oneOf("effect", ["NoSchedule", "PreferNoSchedule", "NoExecute"]);
}
