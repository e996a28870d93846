import { notSupported, requiredField } from "../field-error.ts";
import type { Checker } from "./checker.ts";
import { labelProblems, subdomainProblems } from "./names.ts";

const lastPrecedence = 10_000;

export function validateFlowSchema(object: Checker): void {
  const spec = object.at("spec");
  const precedence = Number(spec.get("matchingPrecedence") ?? 0);
  if (precedence <= 0) spec.invalid("matchingPrecedence", precedence, "must be a positive value");
  if (precedence > lastPrecedence) {
    const detail = `must not be greater than ${lastPrecedence}`;
    spec.invalid("matchingPrecedence", precedence, detail);
  }
  if (precedence === 1 && object.at("metadata").text("name") !== "exempt") {
    const detail = "only the schema named 'exempt' may have matchingPrecedence 1";
    spec.invalid("matchingPrecedence", precedence, detail);
  }
  const method = spec.maybe("distinguisherMethod");
  const methods = ["ByNamespace", "ByUser"];
  if (method !== undefined && !methods.includes(method.text("type")))
    method.add(notSupported(method.field("type"), { Type: method.text("type") }, methods));
  const level = spec.at("priorityLevelConfiguration");
  level.requireNamed("name", subdomainProblems, "must reference a priority level");
  for (const rule of spec.items("rules")) validateRule(rule);
}

function validateRule(rule: Checker): void {
  rule.require("subjects", "subjects must contain at least one value");
  for (const subject of rule.items("subjects")) validateSubject(subject);
  const [resources, others] = [rule.items("resourceRules"), rule.items("nonResourceRules")];
  if (resources.length === 0 && others.length === 0) {
    const detail = "at least one of resourceRules and nonResourceRules has to be non-empty";
    rule.add(requiredField(rule.path, detail));
  }
  for (const each of resources) {
    validateVerbs(each);
    listOrAny(each, "apiGroups", "resource rules must supply at least one api group");
    listOrAny(each, "resources", "resource rules must supply at least one resource");
    const namespaces = each.texts("namespaces");
    if (namespaces.length === 0 && each.get("clusterScope") !== true) {
      const detail =
        "resource rules that are not cluster scoped must supply at least one namespace";
      each.require("namespaces", detail);
    } else if (namespaces.includes("*")) listOrAny(each, "namespaces", "");
    else each.eachNamed("namespaces", labelProblems);
  }
  for (const each of others) {
    validateVerbs(each);
    const detail = "nonResourceURLs must contain at least one value";
    const paths = each.texts("nonResourceURLs");
    listOrAny(each, "nonResourceURLs", detail);
    if (paths.includes("*")) continue;
    for (const [index, path] of paths.entries()) {
      const problem = pathProblem(path);
      if (problem !== undefined) each.invalid(`nonResourceURLs[${index}]`, path, problem);
    }
  }
}

/** At least one value; `*` only alone. */
function listOrAny(rule: Checker, key: string, detail: string): void {
  if (!rule.require(key, detail)) return;
  const list = rule.texts(key);
  if (list.length > 1 && list.includes("*"))
    rule.invalid(key, list, `if '*' is present, must not specify other ${key}`);
}

const verbs = [
  "create",
  "delete",
  "deletecollection",
  "get",
  "list",
  "patch",
  "proxy",
  "update",
  "watch",
];

function validateVerbs(rule: Checker): void {
  listOrAny(rule, "verbs", "verbs must contain at least one value");
  const given = rule.texts("verbs");
  if (!given.includes("*") && given.some((verb) => !verbs.includes(verb)))
    rule.add(notSupported(rule.field("verbs"), given, verbs));
}

function pathProblem(path: string): string | undefined {
  if (path === "") return "must not be empty";
  if (path === "/") return undefined;
  if (!path.startsWith("/")) return "must start with slash";
  if (path.includes(" ")) return "must not contain white-space";
  if (path.includes("//")) return "must not contain double slash";
  const stars = path.split("*").length - 1;
  return stars > 1 || (stars === 1 && !path.endsWith("/*"))
    ? "wildcard can only do suffix matching"
    : undefined;
}

const subjectFields: Readonly<Record<string, string>> = {
  Group: "group",
  ServiceAccount: "serviceAccount",
  User: "user",
};

function validateSubject(subject: Checker): void {
  const kind = subject.text("kind");
  const own = subjectFields[kind];
  if (own === undefined) {
    const kinds = Object.keys(subjectFields);
    subject.add(notSupported(subject.field("kind"), kind, kinds));
    return;
  }
  for (const [otherKind, other] of Object.entries(subjectFields)) {
    if (other === own || !subject.has(other)) continue;
    subject.forbid(other, `${other} is forbidden when subject kind is not '${otherKind}'`);
  }
  const named = subject.maybe(own);
  if (named === undefined) {
    subject.require(own, `${own} is required when subject kind is '${kind}'`);
    return;
  }
  const isAny = named.text("name") === "*";
  if (kind !== "ServiceAccount" || isAny) named.require("name");
  else named.requireNamed("name", subdomainProblems);
  if (kind === "ServiceAccount") {
    const detail = "must specify namespace for service account";
    named.requireNamed("namespace", labelProblems, detail);
  }
}

export function validatePriorityLevel(object: Checker): void {
  const spec = object.at("spec");
  const type = spec.text("type");
  const isExempt = object.at("metadata").text("name") === "exempt";
  if (isExempt !== (type === "Exempt"))
    spec.invalid("type", type, "must be 'Exempt' if and only if `name` is 'exempt'");
  const limited = spec.maybe("limited");
  const exempt = spec.maybe("exempt");
  switch (type) {
    case "Exempt":
      if (limited !== undefined) spec.forbid("limited", "must be nil if the type is not Limited");
      if (exempt !== undefined) validateShares(exempt);
      return;
    case "Limited":
      if (exempt !== undefined) spec.forbid("exempt", "must be nil if the type is Limited");
      if (limited === undefined) spec.require("limited", "must not be empty when type is Limited");
      else validateLimited(limited);
      return;
    default:
      spec.requireOneOf("type", ["Exempt", "Limited"]);
  }
}

function validateShares(level: Checker): void {
  const shares = level.get("nominalConcurrencyShares");
  if (typeof shares === "number" && shares < 0)
    level.invalid("nominalConcurrencyShares", shares, "must be a non-negative integer");
  level.between("lendablePercent", 0, 100);
}

function validateLimited(level: Checker): void {
  validateShares(level);
  const borrowed = level.get("borrowingLimitPercent");
  if (typeof borrowed === "number" && borrowed < 0) {
    const detail = "if specified, must be a non-negative integer";
    level.invalid("borrowingLimitPercent", borrowed, detail);
  }
  const response = level.at("limitResponse");
  const queuing = response.maybe("queuing");
  const place = "limited.limitResponse.type";
  switch (response.text("type")) {
    case "Reject":
      if (queuing !== undefined)
        response.forbid("queuing", `must be nil if ${place} is not Limited`);
      return;
    case "Queue":
      if (queuing === undefined)
        response.require("queuing", `must not be empty if ${place} is Limited`);
      else validateQueuing(queuing);
      return;
    default:
      response.requireOneOf("type", ["Queue", "Reject"]);
  }
}

const mostQueues = 10_000_000;
const hashBits = 60;

function validateQueuing(queuing: Checker): void {
  const [length, queues, hand] = ["queueLengthLimit", "queues", "handSize"].map((key) =>
    Number(queuing.get(key) ?? 0),
  ) as [number, number, number];
  if (length <= 0) queuing.invalid("queueLengthLimit", length, "must be positive");
  if (queues <= 0) queuing.invalid("queues", queues, "must be positive");
  else if (queues > mostQueues)
    queuing.invalid("queues", queues, `must not be greater than ${mostQueues}`);
  if (hand <= 0) queuing.invalid("handSize", hand, "must be positive");
  else if (hand > queues)
    queuing.invalid("handSize", hand, `should not be greater than queues (${queues})`);
  else if (Math.ceil(Math.log2(queues) * hand) > hashBits) {
    const detail = `required entropy bits of deckSize ${queues} and handSize ${hand} should not be greater than ${hashBits}`;
    queuing.invalid("handSize", hand, detail);
  }
}
