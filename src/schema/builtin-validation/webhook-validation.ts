import { duplicate, notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { dns1035Problems, qualifiedNameProblems, subdomainProblems } from "./names.ts";
import { validateSelector } from "./selector-validation.ts";

const reviewVersions = ["v1", "v1beta1"];
const operations = ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"];
const sideEffects = ["None", "NoneOnDryRun"];
const urlForm = "desired format: https://host[/path]";

export function validateWebhookConfiguration(object: Checker): void {
  const names = new Set<string>();
  for (const webhook of object.items("webhooks")) {
    const name = webhook.text("name");
    if (names.has(name)) webhook.add(duplicate(webhook.field("name"), name));
    names.add(name);
    validateWebhook(webhook);
  }
}

function validateWebhook(webhook: Checker): void {
  if (webhook.require("name")) validateHookName(webhook);
  validateReviewVersions(webhook);
  if (webhook.require("sideEffects", `must specify one of ${sideEffects.join(", ")}`))
    webhook.oneOf("sideEffects", sideEffects);
  webhook.oneOf("failurePolicy", ["Fail", "Ignore"]);
  webhook.oneOf("matchPolicy", ["Equivalent", "Exact"]);
  webhook.oneOf("reinvocationPolicy", ["IfNeeded", "Never"]);
  const timeout = webhook.get("timeoutSeconds");
  if (typeof timeout === "number" && (timeout < 1 || timeout > 30)) {
    const detail = "the timeout value must be between 1 and 30 seconds";
    webhook.invalid("timeoutSeconds", timeout, detail);
  }
  for (const key of ["namespaceSelector", "objectSelector"]) {
    const selector = webhook.maybe(key);
    if (selector !== undefined) validateSelector(selector);
  }
  for (const rule of webhook.items("rules")) validateRule(rule);
  validateClientConfig(webhook);
  validateMatchConditions(webhook);
}

function validateHookName(webhook: Checker): void {
  const name = webhook.text("name");
  webhook.named("name", subdomainProblems);
  if (name.split(".").length < 3) {
    const detail = "should be a domain with at least three segments separated by dots";
    webhook.invalid("name", name, detail);
  }
}

function validateReviewVersions(webhook: Checker): void {
  const key = "admissionReviewVersions";
  const known = reviewVersions.join(", ");
  if (!webhook.require(key, `must specify one of ${known}`)) return;
  const versions = texts(webhook, key);
  for (const [index, version] of versions.entries()) {
    const at = `${key}[${index}]`;
    if (versions.indexOf(version) < index) webhook.invalid(at, version, "duplicate version");
    else for (const problem of dns1035Problems(version)) webhook.invalid(at, version, problem);
  }
  if (!versions.some((version) => reviewVersions.includes(version)))
    webhook.invalid(key, versions, `must include at least one of ${known}`);
}

/** Requests that a webhook or a policy is asked about. */
export function validateRule(rule: Checker): void {
  for (const key of ["apiGroups", "apiVersions", "operations", "resources"]) rule.require(key);
  rejectBesideAny(rule, "apiGroups", "API groups");
  rejectBesideAny(rule, "apiVersions", "API versions");
  rejectBesideAny(rule, "operations", "operations");
  for (const key of ["apiVersions", "resources"])
    for (const [index, each] of texts(rule, key).entries())
      if (each === "") rule.add(requiredField(`${rule.field(key)}[${index}]`));
  for (const [index, operation] of texts(rule, "operations").entries())
    if (!operations.includes(operation))
      rule.add(notSupported(`${rule.field("operations")}[${index}]`, operation, operations));
  rule.oneOf("scope", ["*", "Cluster", "Namespaced"]);
  validateRuleResources(rule);
}

function rejectBesideAny(rule: Checker, key: string, what: string): void {
  const list = texts(rule, key);
  if (list.length > 1 && list.includes("*"))
    rule.invalid(key, list, `if '*' is present, must not specify other ${what}`);
}

/** What a wildcard covers already may not be named beside it. */
function validateRuleResources(rule: Checker): void {
  const list = texts(rule, "resources");
  const parts = list.map((each) => each.split("/", 2));
  if (list.length > 1 && list.includes("*/*")) {
    rule.invalid("resources", list, "if '*/*' is present, must not specify other resources");
  }
  if (list.includes("*") && list.some((each) => each !== "*" && !each.includes("/"))) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    rule.invalid("resources", list, detail);
  }
  for (const [index, [resource = "", part]] of parts.entries()) {
    if (part === undefined) continue;
    const covering = [`${resource}/*`, `*/${part}`].find(
      (each) => each !== list[index] && list.includes(each),
    );
    if (covering === undefined || list[index] === "*/*") continue;
    const detail = `if '${covering}' is present, must not specify ${list[index]}`;
    rule.invalid(`resources[${index}]`, list[index], detail);
  }
}

function validateClientConfig(webhook: Checker): void {
  const config = webhook.at("clientConfig");
  const service = config.maybe("service");
  if (config.has("url") === (service !== undefined)) {
    const detail = "exactly one of url or service is required";
    webhook.add(requiredField(webhook.field("clientConfig"), detail));
  } else if (service === undefined) validateUrl(config);
  else validateService(service);
}

function validateUrl(config: Checker): void {
  const text = config.text("url");
  const found =
    /^(?:([a-z][a-z0-9+.-]*):\/\/)?(?:([^/?#@]*)@)?([^/?#]*)[^?#]*(?:\?([^#]*))?(?:#(.*))?$/i.exec(
      text,
    );
  const [, scheme = "", user, host, query, fragment] = found ?? [];
  const escape = /%(?![0-9a-f]{2}).{0,2}/i.exec(text)?.[0];
  if (escape !== undefined) {
    const problem = `parse ${JSON.stringify(text)}: invalid URL escape ${JSON.stringify(escape)}`;
    const detail = `url must be a valid URL: ${problem}; ${urlForm}`;
    config.add(requiredField(config.field("url"), detail));
    return;
  }
  if (scheme.toLowerCase() !== "https")
    config.invalid("url", scheme, `'https' is the only allowed URL scheme; ${urlForm}`);
  if (host === "") config.invalid("url", host, `host must be specified; ${urlForm}`);
  if (user !== undefined)
    config.invalid("url", user, "user information is not permitted in the URL");
  if (fragment !== undefined && fragment !== "")
    config.invalid("url", fragment, "fragments are not permitted in the URL");
  if (query !== undefined && query !== "")
    config.invalid("url", query, "query parameters are not permitted in the URL");
}

function validateService(service: Checker): void {
  // The server reports each of these two at the place of the other.
  if (service.text("namespace") === "") service.add(requiredField(service.field("name")));
  if (service.text("name") === "") service.add(requiredField(service.field("namespace")));
  const port = service.get("port");
  if (typeof port === "number" && (port < 1 || port > 65_535))
    service.invalid("port", port, "port is not valid: must be between 1 and 65535, inclusive");
  const path = service.get("path");
  if (typeof path !== "string" || path === "" || path === "/") return;
  if (!path.startsWith("/")) service.invalid("path", path, "must start with a '/'");
  const segments = path.replace(/\/$/, "").split("/").slice(1);
  if (segments.length === 0) segments.push("");
  for (const [index, segment] of segments.entries()) {
    if (segment === "") service.invalid("path", path, `segment[${index}] may not be empty`);
    else
      for (const problem of subdomainProblems(segment))
        service.invalid("path", path, `segment[${index}]: ${problem}`);
  }
}

/** Conditions under which it is asked at all. */
export function validateMatchConditions(webhook: Checker): void {
  const names = new Set<string>();
  for (const condition of webhook.items("matchConditions")) {
    const name = condition.text("name");
    condition.require("expression");
    if (condition.require("name")) condition.named("name", qualifiedNameProblems);
    if (name !== "" && names.has(name)) condition.add(duplicate(condition.field("name"), name));
    names.add(name);
  }
}

function texts(checker: Checker, key: string): readonly string[] {
  const list = checker.get(key);
  return Array.isArray(list) ? list.filter((each) => typeof each === "string") : [];
}
