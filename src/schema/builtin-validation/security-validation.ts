import { duplicate, invalid, notSupported, requiredField, tooLong } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { relativePathProblems, subdomainProblems } from "./names.ts";

const highestId = 2_147_483_647;
const sysctlPattern = /^(?:[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?[./])*[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
const sysctlLength = 253;

/** The security context of a pod. */
export function validatePodSecurity(context: Checker): void {
  for (const key of ["runAsUser", "runAsGroup", "fsGroup"]) context.between(key, 0, highestId);
  const groups = context.get("supplementalGroups");
  for (const [index, group] of (Array.isArray(groups) ? groups : []).entries()) {
    if (typeof group !== "number" || (group >= 0 && group <= highestId)) continue;
    const detail = `must be between 0 and ${highestId}, inclusive`;
    context.invalid(`supplementalGroups[${index}]`, group, detail);
  }
  const names = new Set<string>();
  for (const sysctl of context.items("sysctls")) {
    const name = sysctl.text("name");
    if (!sysctl.require("name")) continue;
    if (name.length > sysctlLength || !sysctlPattern.test(name)) {
      const detail = `must have at most ${sysctlLength} characters and match regex ^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$`;
      sysctl.invalid("name", name, detail);
    } else if (names.has(name)) sysctl.add(duplicate(sysctl.field("name"), name));
    names.add(name);
  }
  context.supported("fsGroupChangePolicy", ["Always", "OnRootMismatch"]);
  context.supported("supplementalGroupsPolicy", ["Merge", "Strict"]);
  context.supported("seLinuxChangePolicy", ["Recursive"]);
  validateProfiles(context);
}

/** The security context of a container. */
export function validateContainerSecurity(context: Checker, usesHostUsers: boolean): void {
  for (const key of ["runAsUser", "runAsGroup"]) context.between(key, 0, highestId);
  context.supported("procMount", ["Default", "Unmasked"]);
  if (usesHostUsers && context.text("procMount") === "Unmasked")
    context.invalid("procMount", "Unmasked", "`hostUsers` must be false to use `Unmasked`");
  if (context.get("allowPrivilegeEscalation") === false) {
    const start = "cannot set `allowPrivilegeEscalation` to false and";
    if (context.get("privileged") === true)
      context.add(invalid(context.path, context.object, `${start} \`privileged\` to true`));
    if (context.at("capabilities").texts("add").includes("CAP_SYS_ADMIN")) {
      const detail = `${start} \`capabilities.Add\` CAP_SYS_ADMIN`;
      context.add(invalid(context.path, context.object, detail));
    }
  }
  validateProfiles(context);
}

const profileTypes = ["Localhost", "RuntimeDefault", "Unconfined"];
const longestProfile = 4095;

function validateProfiles(context: Checker): void {
  const seccomp = context.maybe("seccompProfile");
  if (seccomp !== undefined) validateSeccomp(seccomp);
  const appArmor = context.maybe("appArmorProfile");
  if (appArmor !== undefined) validateAppArmor(appArmor);
  const windows = context.maybe("windowsOptions");
  if (windows !== undefined) validateWindowsOptions(windows);
}

function validateSeccomp(profile: Checker): void {
  const type = profile.text("type");
  const path = profile.get("localhostProfile");
  if (type === "") {
    profile.require("type", "type is required when seccompProfile is set");
  } else profile.supported("type", profileTypes);
  if (type !== "Localhost") {
    const detail = "can only be set when seccomp type is Localhost";
    if (path !== undefined) profile.invalid("localhostProfile", path, detail);
  } else if (typeof path !== "string") {
    const detail = "must be set when seccomp type is Localhost";
    profile.require("localhostProfile", detail);
  } else {
    for (const problem of relativePathProblems(path))
      profile.invalid("localhostProfile", path, problem);
  }
}

function validateAppArmor(profile: Checker): void {
  const type = profile.text("type");
  const name = profile.get("localhostProfile");
  if (type === "") profile.require("type", "type is required when appArmorProfile is set");
  else profile.supported("type", profileTypes);
  if (type === "Localhost") {
    const text = typeof name === "string" ? name : "";
    const detail = "must be set when AppArmor type is Localhost";
    if (text.trim() !== text)
      profile.invalid("localhostProfile", text, "must not be padded with whitespace");
    else if (text === "") profile.add(requiredField(profile.field("localhostProfile"), detail));
    if (text.length > longestProfile)
      profile.add(tooLong(profile.field("localhostProfile"), longestProfile));
  } else if (profileTypes.includes(type) && name !== undefined)
    profile.invalid("localhostProfile", name, "can only be set when AppArmor type is Localhost");
}

const credentialBytes = 64 * 1024;
const userName = "runAsUserName";

function validateWindowsOptions(options: Checker): void {
  const name = options.get("gmsaCredentialSpecName");
  if (typeof name === "string")
    for (const problem of subdomainProblems(name))
      options.invalid("gmsaCredentialSpecName", name, problem);
  const credentials = options.get("gmsaCredentialSpec");
  if (typeof credentials === "string") {
    if (credentials === "") {
      const detail = "gmsaCredentialSpec cannot be an empty string";
      options.invalid("gmsaCredentialSpec", credentials, detail);
    } else if (credentials.length > credentialBytes) {
      const detail = "gmsaCredentialSpec size must be under 64 KiB";
      options.invalid("gmsaCredentialSpec", credentials, detail);
    }
  }
  const user = options.get(userName);
  if (typeof user !== "string") return;
  for (const problem of userProblems(user))
    options.invalid(userName, user, `${userName}${problem}`);
}

// oxlint-disable-next-line no-control-regex -- these are the characters that are looked for
const controls = /[\u0000-\u001f\u007f]/;
const netBios = /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/;
const domainName =
  /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?\.)*[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?$/;

/** What is wrong with `user` or `domain\user` of Windows. */
function userProblems(text: string): readonly string[] {
  if (text === "") return [" cannot be an empty string"];
  if (controls.test(text)) return [" cannot contain control characters"];
  const parts = text.split("\\");
  if (parts.length > 2) return [" cannot contain more than one backslash"];
  const problems: string[] = [];
  const user = parts.at(-1) ?? "";
  const domain = parts.length === 2 ? parts[0] : undefined;
  if (domain !== undefined && domain.length >= 256)
    problems.push("'s Domain length must be under 256 characters");
  if (domain !== undefined && !netBios.test(domain) && !domainName.test(domain))
    problems.push("'s Domain doesn't match the NetBios nor the DNS format");
  if (user === "") problems.push("'s User cannot be empty");
  else if (user.length > 104)
    problems.push("'s User length must not be longer than 104 characters");
  if (/^[. ]+$/.test(user)) problems.push("'s User cannot contain only periods or spaces");
  if (/["/\\:;|=,+*?<>@[\]]/.test(user))
    problems.push("'s User cannot contain the following characters: \"/\\:;|=,+*?<>@[]");
  return problems;
}

const notForWindows = {
  spec: ["hostUsers", "hostPID", "hostIPC", "shareProcessNamespace"],
  pod: [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "fsGroup",
    "fsGroupChangePolicy",
    "sysctls",
    "runAsUser",
    "runAsGroup",
    "supplementalGroups",
    "supplementalGroupsPolicy",
    "seLinuxChangePolicy",
  ],
  container: [
    "appArmorProfile",
    "seLinuxOptions",
    "seccompProfile",
    "capabilities",
    "readOnlyRootFilesystem",
    "privileged",
    "allowPrivilegeEscalation",
    "procMount",
    "runAsUser",
    "runAsGroup",
  ],
} as const;

/** What a pod says of its operating system, and what another one has no use for. */
export function validateOperatingSystem(spec: Checker, containers: readonly Checker[]): void {
  const os = spec.maybe("os");
  if (os === undefined) return;
  const name = os.text("name");
  if (!os.require("name")) return;
  if (name !== "linux" && name !== "windows") {
    spec.add(notSupported(spec.field("os"), name, ["linux", "windows"]));
    return;
  }
  const contexts = containers.flatMap((each) => each.maybe("securityContext") ?? []);
  const pod = spec.maybe("securityContext");
  if (name === "linux") {
    const detail = "windows options cannot be set for a linux pod";
    for (const context of [...(pod === undefined ? [] : [pod]), ...contexts])
      if (context.has("windowsOptions")) context.forbid("windowsOptions", detail);
    return;
  }
  forbidOn(spec, notForWindows.spec);
  if (pod !== undefined) forbidOn(pod, notForWindows.pod);
  for (const context of contexts) forbidOn(context, notForWindows.container);
}

function forbidOn(checker: Checker, keys: readonly string[]): void {
  for (const key of keys) {
    const value = checker.get(key);
    const isFlagOff = value === false && (key === "hostPID" || key === "hostIPC");
    if (value === undefined || isFlagOff || (key === "sysctls" && checker.items(key).length === 0))
      continue;
    checker.forbid(key, "cannot be set for a windows pod");
  }
}

/** Pods of Windows that run as processes of their node do so with all containers. */
export function validateHostProcess(spec: Checker, containers: readonly Checker[]): void {
  const of = (context: Checker): unknown =>
    context.at("securityContext").at("windowsOptions").get("hostProcess");
  const ofPod = of(spec);
  let count = 0;
  for (const container of containers) {
    const own = of(container);
    if (typeof ofPod === "boolean" && typeof own === "boolean" && own !== ofPod) {
      const detail = `pod hostProcess value must be identical if both are specified, was ${ofPod}`;
      container.invalid("securityContext.windowsOptions.hostProcess", own, detail);
    }
    if ((own ?? ofPod) === true) count++;
  }
  if (count === 0) return;
  if (count !== containers.length) {
    const detail =
      "If pod contains any hostProcess containers then all containers must be HostProcess containers";
    spec.add(invalid(spec.path, "", detail));
  }
  if (spec.get("hostNetwork") !== true) {
    const detail = "hostNetwork must be true if pod contains any hostProcess containers";
    spec.invalid("hostNetwork", false, detail);
  }
}
