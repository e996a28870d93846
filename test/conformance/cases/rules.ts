import { type ConformanceCase, jsonStep, type Step } from "../case.ts";
import { definition, definitions, oneDefinition, thing, things } from "./paths.ts";

const established: readonly [string, string] = ["status.conditions.1.status", "True"];
const kept: Partial<Step> = { keep: ["reason", "code", "details.causes", "spec"] };

type Rule = string | object;

/** What rules can read: one field of every type, each as small as rules need it to be. */
const fields = {
  text: { type: "string", maxLength: 60 },
  other: { type: "string", maxLength: 60 },
  count: { type: "integer" },
  ratio: { type: "number" },
  flag: { type: "boolean" },
  when: { type: "string", format: "date-time" },
  day: { type: "string", format: "date" },
  period: { type: "string", format: "duration" },
  data: { type: "string", format: "byte", maxLength: 60 },
  port: { "x-kubernetes-int-or-string": true },
  maybe: { type: "string", nullable: true, maxLength: 10 },
  texts: { type: "array", maxItems: 6, items: { type: "string", maxLength: 20 } },
  numbers: { type: "array", maxItems: 6, items: { type: "integer" } },
  set: {
    type: "array",
    maxItems: 6,
    "x-kubernetes-list-type": "set",
    items: { type: "string", maxLength: 20 },
  },
  keyed: {
    type: "array",
    maxItems: 6,
    "x-kubernetes-list-type": "map",
    "x-kubernetes-list-map-keys": ["key"],
    items: {
      type: "object",
      required: ["key"],
      properties: {
        key: { type: "string", maxLength: 20 },
        value: { type: "string", maxLength: 20 },
        amount: { type: "integer" },
      },
    },
  },
  labels: {
    type: "object",
    maxProperties: 6,
    additionalProperties: { type: "string", maxLength: 20 },
  },
  nested: {
    type: "object",
    properties: {
      "a-b": { type: "string", maxLength: 20 },
      "c.d/e": { type: "string", maxLength: 20 },
      __f: { type: "string", maxLength: 20 },
      namespace: { type: "string", maxLength: 20 },
      deeper: { type: "object", properties: { on: { type: "boolean" } } },
    },
  },
  open: { type: "object", "x-kubernetes-preserve-unknown-fields": true },
};

const sample = {
  text: "Hello, wörld",
  other: "a",
  count: 3,
  ratio: 1.5,
  flag: true,
  when: "2024-02-29T10:20:30.123Z",
  day: "2024-02-29",
  period: "1h30m",
  data: "aGVsbG8=",
  port: 80,
  texts: ["c", "a", "b"],
  numbers: [3, 1, 2, 1],
  set: ["x", "y"],
  keyed: [
    { key: "k", value: "1", amount: 1 },
    { key: "l", value: "2" },
  ],
  labels: { a: "1", b: "2" },
  nested: { "a-b": "1", "c.d/e": "2", __f: "3", namespace: "4", deeper: { on: true } },
  open: { any: 1 },
};

function withRules(
  rules: readonly Rule[],
  steps: readonly Step[],
  properties: object = fields,
): readonly Step[] {
  return [
    jsonStep("POST", definitions, ruled(rules, properties), { prepare: true }),
    jsonStep("GET", oneDefinition, undefined, { prepare: true, until: established }),
    jsonStep("GET", things, undefined, { prepare: true, until: ["kind", "ThingList"] }),
    ...steps,
    jsonStep("DELETE", oneDefinition, undefined, { prepare: true }),
  ];
}

function ruled(rules: readonly Rule[], properties: object = fields): object {
  const validations = rules.map((rule) => (typeof rule === "string" ? { rule } : rule));
  const spec = { type: "object", properties, "x-kubernetes-validations": validations };
  return definition({
    schema: { openAPIV3Schema: { type: "object", properties: { spec } } },
  });
}

/** Rules that hold and rules that do not, over one object: the answer names those that do not. */
function decided(name: string, rules: readonly Rule[], spec: object = sample): ConformanceCase {
  return { name, steps: withRules(rules, [jsonStep("POST", things, thing("a", { spec }), kept)]) };
}

/** Definitions that the server refuses because of their rules. */
function refused(
  name: string,
  rules: readonly Rule[],
  properties: object = fields,
): ConformanceCase {
  const body = ruled(rules, properties);
  return {
    name,
    steps: [jsonStep("POST", definitions, body, { keep: ["reason", "code", "details.causes"] })],
  };
}

/** An object with its rules, and what happens when parts of it change. */
function changes(
  name: string,
  properties: object,
  spec: object,
  patches: readonly object[],
  rules: readonly Rule[] = [],
): ConformanceCase {
  return {
    name,
    steps: withRules(
      rules,
      [
        jsonStep("POST", things, thing("a", { spec }), kept),
        ...patches.map((patch) => jsonStep("PATCH", `${things}/a`, { spec: patch }, kept)),
      ],
      properties,
    ),
  };
}

const text = { type: "string", maxLength: 20 };
const unchanged = [{ rule: "self == oldSelf", message: "cannot change" }];

export const ruleCases: readonly ConformanceCase[] = [
  changes(
    "the closest of several schemas",
    {
      any: {
        type: "object",
        properties: { p: { type: "integer" }, q: { type: "integer" } },
        anyOf: [{ required: ["p"] }, { required: ["p"], properties: { q: { minimum: 5 } } }],
      },
      one: {
        type: "object",
        properties: { p: { type: "integer" }, q: { type: "integer" } },
        oneOf: [
          { required: ["p"] },
          { properties: { q: { minimum: 5 } } },
          { properties: { q: { minimum: 7 } } },
        ],
      },
    },
    {},
    [{ any: { q: 1 } }, { any: {} }, { one: { q: 1 } }, { one: { q: 6 } }, { one: { q: 8 } }],
  ),
  decided("arithmetic", [
    "self.count + 1 == 4",
    "self.count * 2 - 1 == 4",
    "self.count / 2 == 1 && self.count % 2 == 1",
    "-self.count == -3 && -self.ratio < 0.0",
    "self.ratio * 2.0 == 3.0",
    "self.ratio / 2.0 == 0.5",
    "self.count / (self.count - 3) == 1",
    "self.count % (self.count - 3) == 1",
    "self.count + 9223372036854775807 > 0",
    "double(self.count) == 3.0 && int(self.ratio) == 1 && int('12') == 12",
    "uint(self.count) == 3u && string(self.count) == '3' && string(self.ratio) == '1.5'",
    "self.count < 3.5 && self.ratio > 1",
    "int(self.text) == 1",
    "bool('true') && string(true) == 'true' && double('1.5') == self.ratio",
    "self.count == 0x3 && 1e3 == 1000.0",
  ]),
  decided("logic", [
    "self.flag && !self.flag",
    "self.flag || self.count / 0 == 1",
    "self.count / 0 == 1 || self.flag",
    "self.count / 0 == 1 || !self.flag",
    "self.flag ? self.count == 3 : self.count / 0 == 1",
    "self.flag ? self.count == 4 : true",
    "!(self.count in [1, 2])",
    "self.other in {'a': 1, 'b': 2} && 'z' in {'a': 1}",
    "self.count == 3 ? true : false",
  ]),
  decided("strings", [
    "self.text.charAt(8) == 'ö' && self.text.size() == 12",
    "self.text.charAt(20) == ''",
    "self.text.indexOf('l') == 2 && self.text.indexOf('l', 4) == 10 && self.text.indexOf('z') == -1",
    "self.text.lastIndexOf('l') == 3",
    "self.text.lastIndexOf('l', 5) == 3 && self.text.indexOf('l', 40) == 1",
    "self.text.lowerAscii() == 'hello, wörld' && 'Öa'.upperAscii() == 'ÖA'",
    "self.text.replace('l', 'L') == 'HeLLo, wörLd' && self.text.replace('l', 'L', 1) == 'HeLlo, wörld'",
    "self.text.split(', ') == ['Hello', 'wörld'] && self.text.split('l', 2) == ['He', 'lo, wörld']",
    "self.text.substring(7) == 'wörld' && self.text.substring(0, 5) == 'Hello'",
    "self.text.substring(5, 2) == ''",
    "self.text.substring(50) == ''",
    "'  a b '.trim() == 'a b'",
    "self.texts.join() == 'cab' && self.texts.join('-') == 'c-a-b'",
    "self.text.startsWith('Hell') && self.text.endsWith('wörld') && self.text.contains(', ')",
    "self.text.startsWith('x')",
    "self.text + '!' == 'Hello, wörld!' && 'a' < 'b' && self.other >= 'b'",
    "strings.quote(self.other) == '\"a\"'",
    "'é' == '\\u00e9' && r'\\n' == '\\\\n' && size('\\t') == 1",
  ]),
  decided("format of texts", [
    { rule: "self.count == 0", messageExpression: "'%s is %d'.format([self.other, self.count])" },
    { rule: "self.count == 1", messageExpression: "'%.2f %e'.format([self.ratio, 12345.678])" },
    { rule: "self.count == 2", messageExpression: "'%x %X %o %b'.format([255, 255, 8, 5])" },
    { rule: "self.count == 4", messageExpression: "'%s'.format([self.numbers])" },
    { rule: "self.count == 5", messageExpression: "'%s'.format([{'b': 1, 'a': true}])" },
    { rule: "self.count == 6", messageExpression: "'%s %s'.format([self.when, self.period])" },
    { rule: "self.count == 7", messageExpression: "'%s %s %%'.format([null, 2.0])" },
    { rule: "self.count == 9", messageExpression: "'%s'.format([type(self.count)])" },
    { rule: "self.count == 10", messageExpression: "'%s'.format([self.texts])" },
    { rule: "self.count == 11", messageExpression: "'%s'.format([{'a': self.texts, 'b': ['x']}])" },
    { rule: "self.count == 12", messageExpression: "'%s'.format([[self.when]])" },
    { rule: "self.count == 13", messageExpression: "'%.1e %f'.format([0.00012, 2.5])" },
    { rule: "self.count == 14", messageExpression: "'%s'.format([[1.0, 2.5]])" },
  ]),
  decided("lists", [
    "self.numbers.isSorted()",
    "[1, 2, 2].isSorted() && !self.texts.isSorted()",
    "self.numbers.sum() == 7 && self.numbers.min() == 1 && self.numbers.max() == 3",
    "[].sum() == 0",
    "self.numbers.filter(n, n > 5).min() == 1",
    "self.numbers.indexOf(1) == 1 && self.numbers.lastIndexOf(1) == 3 && self.numbers.indexOf(9) == -1",
    "[[1, 2], [3]].flatten() == [1, 2, 3]",
    "self.numbers.distinct() == [3, 1, 2]",
    "self.numbers.sort() == [1, 1, 2, 3] && self.texts.sort() == ['a', 'b', 'c']",
    "self.keyed.sortBy(each, each.value).map(each, each.key) == ['k', 'l']",
    "self.numbers.slice(1, 3) == [1, 2] && self.numbers.reverse() == [1, 2, 1, 3]",
    "self.numbers.slice(2, 9) == []",
    "lists.range(3) == [0, 1, 2]",
    "self.numbers.first().value() == 3 && self.numbers.last().value() == 1",
    "self.numbers + [9] == [3, 1, 2, 1, 9] && self.numbers[0] == 3",
    "self.numbers[7] == 1",
    "self.numbers[-1] == 1",
    "2 in self.numbers && !(7 in self.numbers) && self.numbers.size() == 4",
    "[1.5, 2.5].sum() == 4.0 && [duration('1s'), duration('2s')].sum() == duration('3s')",
  ]),
  decided("macros", [
    "self.numbers.all(n, n > 0) && self.numbers.exists(n, n == 2) && self.numbers.exists_one(n, n == 3)",
    "self.numbers.exists_one(n, n == 1)",
    "self.numbers.all(n, 6 / (n - 1) > 0)",
    "self.numbers.exists(n, 6 / (n - 1) == 3)",
    "self.numbers.map(n, n * 2) == [6, 2, 4, 2] && self.numbers.map(n, n > 1, n * 2) == [6, 4]",
    "self.numbers.filter(n, n < 3) == [1, 2, 1]",
    "self.labels.all(k, self.labels[k].size() == 1) && self.labels.exists(k, k == 'b')",
    "self.labels.map(k, k).size() == 2",
    "self.labels.filter(k, k == 'a') == ['a']",
    "self.keyed.all(each, has(each.amount))",
    "self.keyed.all(each, each.amount == 1)",
  ]),
  decided("macros with two variables", [
    "self.numbers.all(i, n, i < 4 && n > 0) && self.labels.exists(k, v, k == 'a' && v == '1')",
    "self.labels.existsOne(k, v, v == '2')",
    "self.numbers.transformList(i, n, i + n) == [3, 2, 4, 4]",
    "self.numbers.transformList(i, n, i > 1, n) == [2, 1]",
    "self.labels.transformMap(k, v, v + '!') == {'a': '1!', 'b': '2!'}",
    "self.labels.transformMap(k, v, k == 'a', v) == {'a': '1'}",
    "self.labels.transformMapEntry(k, v, {v: k}) == {'1': 'a', '2': 'b'}",
    "self.labels.transformMapEntry(k, v, {'same': k}) == {'1': 'a'}",
    "self.numbers.all(i, n, i == n)",
  ]),
  decided("sets", [
    "sets.contains(self.texts, ['a', 'b']) && !sets.contains(self.texts, ['z'])",
    "sets.equivalent(self.numbers, [1, 2, 3]) && !sets.equivalent(self.numbers, [1, 2])",
    "sets.intersects(self.texts, ['z', 'a']) && !sets.intersects(self.texts, ['z'])",
    "sets.contains(self.texts, ['z'])",
    "self.set == ['y', 'x']",
    "self.texts == ['a', 'b', 'c']",
    "self.set + ['y', 'z'] == ['x', 'y', 'z']",
    "(self.keyed + self.keyed).size() == 2",
  ]),
  decided("regular expressions", [
    "self.text.matches('^H.*d$') && self.text.matches('wö')",
    "self.text.matches('^w')",
    "self.text.find('[a-z]+') == 'ello' && self.text.find('\\\\d') == ''",
    "self.text.findAll('l+') == ['ll', 'l'] && self.text.findAll('[a-z]', 2) == ['e', 'l']",
    "self.text.matches('(?i)HELLO') && 'a.b'.matches('^a\\\\.b$') && 'ab'.matches('^\\\\w{2}\\\\z')",
    "self.text.matches(self.other + '(')",
  ]),
  decided("URLs", [
    "isURL('https://user:pw@example.com:8080/a%20b/c?x=1&x=2&y=#top')",
    "url('https://example.com:8080/a').getScheme() == 'https' && url('/a').getScheme() == ''",
    "url('https://example.com:8080/a').getHost() == 'example.com:8080'",
    "url('https://[::1]:80/').getHostname() == '::1' && url('https://[::1]:80/').getHost() == '[::1]:80'",
    "url('https://example.com:8080/a').getPort() == '8080' && url('https://example.com/').getPort() == ''",
    "url('https://example.com/a b').getEscapedPath() == '/a%20b'",
    "url('https://example.com/a?x=1&x=2&y=').getQuery() == {'x': ['1', '2'], 'y': ['']}",
    "isURL('../a') || isURL('') || isURL('https://a:b/') || isURL('example.com')",
    "isURL('/a/b') && isURL('mailto:me@example.com')",
    "url('https://example.com/') == url('https://example.com/')",
    "url(self.other).getHost() == ''",
  ]),
  decided("addresses", [
    "isIP('10.0.0.1') && isIP('2001:db8::1') && !isIP('10.0.0.256') && !isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0')",
    "ip('10.0.0.1').family() == 4 && ip('::1').family() == 6",
    "ip.isCanonical('2001:db8::abcd') && !ip.isCanonical('2001:DB8::ABCD')",
    "ip('0.0.0.0').isUnspecified() && ip('127.0.0.1').isLoopback() && ip('::1').isLoopback()",
    "ip('224.0.0.1').isLinkLocalMulticast() && ip('169.254.1.1').isLinkLocalUnicast() && ip('10.0.0.1').isGlobalUnicast()",
    "ip('ff02::1').isLinkLocalMulticast() && ip('fe80::1').isLinkLocalUnicast()",
    "string(ip('2001:DB8:0:0::1')) == '2001:db8::1'",
    "ip('10.0.0.1') == ip('10.0.0.2')",
    "isCIDR('10.0.0.0/8') && isCIDR('::/0') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0')",
    "cidr('10.0.0.0/8').containsIP('10.9.9.9') && !cidr('10.0.0.0/8').containsIP(ip('11.0.0.1'))",
    "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
    "cidr('10.1.2.3/8').ip() == ip('10.1.2.3') && cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
    "cidr('10.1.2.3/8').prefixLength() == 8 && string(cidr('10.1.2.3/8')) == '10.1.2.3/8'",
    "cidr('10.0.0.0/8').containsIP('11.0.0.1')",
  ]),
  decided("quantities", [
    "isQuantity('1.5Gi') && isQuantity('100m') && isQuantity('1e3') && !isQuantity('1.5 Gi') && !isQuantity('x')",
    "quantity('1Gi').isGreaterThan(quantity('1G')) && quantity('500m').isLessThan(quantity('1'))",
    "quantity('1000m').compareTo(quantity('1')) == 0 && quantity('1000m') == quantity('1')",
    "quantity('1').compareTo(quantity('2')) == -1",
    "quantity('50k').add(quantity('20')) == quantity('50020') && quantity('50k').add(20) == quantity('50020')",
    "quantity('50k').sub(quantity('20')).asInteger() == 49980 && quantity('50k').sub(20).asInteger() == 49980",
    "quantity('1.5').isInteger()",
    "quantity('1500m').asInteger() == 1",
    "quantity('1500m').asApproximateFloat() == 1.5 && sign(quantity('-1')) == -1 && sign(quantity('0')) == 0",
    "quantity('1Ki').asInteger() == 1024 && quantity('1k').isInteger()",
    "quantity(self.other).isInteger()",
  ]),
  decided("semantic versions", [
    "isSemver('1.2.3') && isSemver('1.2.3-rc.1+build') && !isSemver('1.2') && !isSemver('v1.2.3')",
    "isSemver('v1.2', true) && semver('v01.2', true).major() == 1",
    "semver('1.2.3').major() == 1 && semver('1.2.3').minor() == 2 && semver('1.2.3').patch() == 3",
    "semver('1.2.3-rc.1').isLessThan(semver('1.2.3')) && semver('1.10.0').isGreaterThan(semver('1.9.0'))",
    "semver('1.2.3-rc.2').compareTo(semver('1.2.3-rc.10')) == -1 && semver('1.2.3') == semver('1.2.3')",
    "semver('1.2.3').compareTo(semver('1.2.3')) != 0",
    "semver(self.other).major() == 1",
  ]),
  decided("named formats", [
    "!format.dns1123Label().validate('my-name').hasValue()",
    {
      rule: "!format.dns1123Label().validate('My_name').hasValue()",
      messageExpression: "format.dns1123Label().validate('My_name').value()[0]",
    },
    {
      rule: "!format.dns1123Subdomain().validate('-a').hasValue()",
      messageExpression: "format.dns1123Subdomain().validate('-a').value()[0]",
    },
    {
      rule: "!format.dns1035Label().validate('1a').hasValue()",
      messageExpression: "format.dns1035Label().validate('1a').value()[0]",
    },
    {
      rule: "!format.qualifiedName().validate('a/b/c').hasValue()",
      messageExpression: "format.qualifiedName().validate('a/b/c').value()[0]",
    },
    {
      rule: "!format.labelValue().validate('a b').hasValue()",
      messageExpression: "format.labelValue().validate('a b').value()[0]",
    },
    {
      rule: "!format.uri().validate('a b').hasValue()",
      messageExpression: "format.uri().validate('a b').value()[0]",
    },
    {
      rule: "!format.uuid().validate('a').hasValue()",
      messageExpression: "format.uuid().validate('a').value()[0]",
    },
    {
      rule: "!format.byte().validate('a').hasValue()",
      messageExpression: "format.byte().validate('a').value()[0]",
    },
    {
      rule: "!format.date().validate('a').hasValue()",
      messageExpression: "format.date().validate('a').value()[0]",
    },
    {
      rule: "!format.datetime().validate('a').hasValue()",
      messageExpression: "format.datetime().validate('a').value()[0]",
    },
    "!format.dns1123LabelPrefix().validate('my-').hasValue() && !format.dns1123SubdomainPrefix().validate('a.my-').hasValue() && !format.dns1035LabelPrefix().validate('my-').hasValue()",
    "format.named('dns1123Label').hasValue() && !format.named('nothing').hasValue()",
    "!format.named('uuid').value().validate('6ba7b810-9dad-11d1-80b4-00c04fd430c8').hasValue()",
  ]),
  decided("times", [
    "self.when.getFullYear() == 2024 && self.when.getMonth() == 1 && self.when.getDate() == 29",
    "self.when.getDayOfMonth() == 28 && self.when.getDayOfWeek() == 4 && self.when.getDayOfYear() == 59",
    "self.when.getHours() == 10 && self.when.getMinutes() == 20 && self.when.getSeconds() == 30 && self.when.getMilliseconds() == 123",
    "self.when.getHours('America/New_York') == 5 && self.when.getHours('+02:00') == 12",
    "self.when > timestamp('2024-01-01T00:00:00Z') && self.when < timestamp('2025-01-01T00:00:00Z')",
    "self.when - timestamp('2024-02-29T10:00:00Z') > duration('20m')",
    "self.when + duration('1h') == timestamp('2024-02-29T11:20:30.123Z')",
    "self.day == timestamp('2024-02-29T00:00:00Z')",
    "self.period == duration('90m') && self.period.getHours() == 1 && self.period.getMinutes() == 90",
    "self.period > duration('2h')",
    "self.period + duration('1s') - duration('1s') == self.period",
    "string(self.when) == '2024-02-29T10:20:30.123Z' && string(self.period) == '5400s'",
    "int(self.when) == 1709202030",
    "timestamp(self.other) == self.when",
    "duration('1h') == duration('60m') && duration('-1.5s') < duration('0s')",
  ]),
  decided("bytes", [
    "self.data == b'hello' && self.data.size() == 5 && string(self.data) == 'hello'",
    "bytes('hello') == self.data && b'\\x00\\xff'.size() == 2",
    "self.data == b'Hello'",
    "b'a' + b'b' == b'ab' && b'a' < b'b'",
  ]),
  decided("int or string", [
    "type(self.port) == int ? self.port < 100 : self.port == 'http'",
    "type(self.port) == string",
    "self.port.size() == 1",
    "self.port == '80'",
    "self.port == 80",
    "self.port + 1 == 81",
    "self.port.startsWith('h')",
  ]),
  decided("dynamic types", [
    "type(self.count) == int && type(self.ratio) == double && type(self.text) == string && type(self.flag) == bool",
    "type(self.numbers) == list && type(self.labels) == map && type(self.data) == bytes",
    "type(self.when) == google.protobuf.Timestamp && type(self.period) == google.protobuf.Duration",
    "dyn(self.count) == 3.0 && dyn(self.count) == 3u",
    "dyn(self.count) == 'x'",
    "dyn(self.text).nothing == 1",
    "dyn(self.count) + 'x' == 'x'",
    "type(null) == null_type && type(type(1)) == type",
  ]),
  decided("optional values", [
    "self.?text.hasValue() && !self.?maybe.hasValue() && self.?other.value() == 'a'",
    "self.?maybe.orValue('none') == 'none' && self.nested.?deeper.?on.orValue(false)",
    "self.?maybe.value() == 'x'",
    "self.labels[?'a'].value() == '1' && !self.labels[?'z'].hasValue() && self.numbers[?9].orValue(5) == 5",
    "optional.of(1).or(optional.of(2)).value() == 1 && optional.none().or(optional.of(2)).value() == 2",
    "optional.of(1).optMap(x, x + 1).value() == 2 && !optional.none().optMap(x, x).hasValue()",
    "optional.of(1).optFlatMap(x, optional.of(x + 1)).value() == 2",
    "optional.ofNonZeroValue('').hasValue()",
    "optional.of(1) == optional.of(1) && optional.of(1) != optional.none()",
    "optional.unwrap([optional.of(1), optional.none()]) == [1]",
    "has(self.nested.deeper) && has(self.nested.deeper.on) && !has(self.maybe)",
  ]),
  decided("names of properties", [
    "self.nested.a__dash__b == '1' && self.nested.c__dot__d__slash__e == '2'",
    "self.nested.__underscores__f == '3' && self.nested.__namespace__ == '4'",
    "self.nested.a__dash__b == 'x'",
  ]),
  decided("absent fields", [
    "self.maybe == 'x'",
    "self.labels['z'] == '1'",
    "self.labels.z == '1'",
    "self.nested.deeper.on",
    { rule: "self.maybe == 'x'", message: "maybe must be x" },
    "!has(self.maybe) || self.maybe == 'x'",
    "'a' in self.labels && !('z' in self.labels)",
    "self.nested == self.nested && self.open == self.open",
  ]),
  decided("messages", [
    { rule: "self.count == 1", message: "count is wrong" },
    { rule: "self.count == 2", message: "  padded  " },
    { rule: "self.count == 4", messageExpression: "'count is %d'.format([self.count])" },
    { rule: "self.count == 5", message: "both", messageExpression: "self.text" },
    { rule: "self.count == 6", message: "fallback", messageExpression: "self.labels['z']" },
    { rule: "self.count == 7", messageExpression: "self.maybe" },
    { rule: "self.count == 8", message: "empty", messageExpression: "''" },
    { rule: "self.count == 9", message: "lines", messageExpression: "'a\\nb'" },
    { rule: "self.count\n== 10", message: "two lines" },
    { rule: "  self.count == 11  " },
  ]),
  decided("reasons and paths", [
    { rule: "self.count == 1", reason: "FieldValueInvalid", fieldPath: ".count" },
    { rule: "self.count == 2", reason: "FieldValueForbidden", fieldPath: ".nested.deeper.on" },
    { rule: "self.count == 4", reason: "FieldValueRequired", fieldPath: ".maybe" },
    { rule: "self.count == 5", reason: "FieldValueDuplicate", fieldPath: ".texts" },
    { rule: "self.count == 6", fieldPath: ".labels['a']" },
    { rule: "self.count == 7", fieldPath: "['count']" },
    { rule: "self.count == 8", fieldPath: ".nested['a-b']", message: "dashed" },
  ]),
  {
    name: "rules stand aside for wrong types",
    steps: withRules(
      ["self.count > 1", "self.text == 'a'"],
      [
        jsonStep("POST", things, thing("a", { spec: { count: "x", text: "b" } }), kept),
        jsonStep("POST", things, thing("b", { spec: { count: 0, text: "x".repeat(61) } }), kept),
        jsonStep(
          "POST",
          things,
          thing("c", { spec: { count: 0, text: "b", when: "never" } }),
          kept,
        ),
      ],
    ),
  },
  changes(
    "rules at every level",
    {
      list: {
        type: "array",
        maxItems: 5,
        "x-kubernetes-validations": [{ rule: "self.size() < 3" }],
        items: {
          type: "object",
          "x-kubernetes-validations": [{ rule: "self.min <= self.max" }],
          properties: {
            min: { type: "integer", "x-kubernetes-validations": [{ rule: "self >= 0" }] },
            max: { type: "integer" },
          },
        },
      },
      map: {
        type: "object",
        maxProperties: 5,
        additionalProperties: { ...text, "x-kubernetes-validations": [{ rule: "self != 'x'" }] },
      },
    },
    { list: [{ min: 1, max: 2 }], map: { a: "b" } },
    [
      { list: [{ min: 3, max: 2 }] },
      { list: [{ min: -1, max: 2 }, { min: 5, max: 2 }, { min: 1 }] },
      { map: { a: "x" } },
      { map: { "b.c": "x" } },
    ],
  ),
  {
    name: "rules at the root",
    steps: [
      jsonStep(
        "POST",
        definitions,
        definition({
          schema: {
            openAPIV3Schema: {
              type: "object",
              "x-kubernetes-validations": [
                { rule: "self.metadata.name.startsWith('a')" },
                { rule: "self.kind == 'Thing' && self.apiVersion.endsWith('/v1')" },
                { rule: "self.spec.x == 1", message: "x must be 1", fieldPath: ".spec.x" },
                { rule: "!has(self.metadata.generateName)" },
              ],
              properties: { spec: { type: "object", properties: { x: { type: "integer" } } } },
            },
          },
        }),
        { prepare: true },
      ),
      jsonStep("GET", oneDefinition, undefined, { prepare: true, until: established }),
      jsonStep("GET", things, undefined, { prepare: true, until: ["kind", "ThingList"] }),
      jsonStep("POST", things, thing("a", { spec: { x: 1 } }), kept),
      jsonStep("POST", things, thing("b", { spec: { x: 2 } }), kept),
      jsonStep("POST", things, thing("a2"), kept),
      jsonStep("DELETE", oneDefinition, undefined, { prepare: true }),
    ],
  },
  changes(
    "transitions of fields",
    {
      fixed: { ...text, "x-kubernetes-validations": unchanged },
      growing: {
        type: "integer",
        "x-kubernetes-validations": [{ rule: "self >= oldSelf", message: "must not shrink" }],
      },
      free: text,
    },
    { fixed: "a", growing: 1 },
    [{ fixed: "b" }, { growing: 2, free: "x" }, { growing: 1 }, { fixed: null }, { fixed: "c" }],
  ),
  changes(
    "transitions of items",
    {
      keyed: {
        type: "array",
        maxItems: 5,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["key"],
        items: {
          type: "object",
          required: ["key"],
          properties: {
            key: text,
            value: { ...text, "x-kubernetes-validations": unchanged },
          },
        },
      },
      labels: {
        type: "object",
        maxProperties: 5,
        additionalProperties: { ...text, "x-kubernetes-validations": unchanged },
      },
      set: {
        type: "array",
        maxItems: 5,
        "x-kubernetes-list-type": "set",
        items: text,
        "x-kubernetes-validations": [
          { rule: "oldSelf.all(each, each in self)", message: "items stay" },
        ],
      },
    },
    {
      keyed: [
        { key: "a", value: "1" },
        { key: "b", value: "2" },
      ],
      labels: { x: "1" },
      set: ["s", "t"],
    },
    [
      { keyed: [{ key: "b", value: "2" }] },
      {
        keyed: [
          { key: "c", value: "1" },
          { key: "b", value: "3" },
        ],
      },
      { labels: { x: "2" } },
      { labels: { x: null, y: "2" } },
      { set: ["t", "s", "u"] },
      { set: ["t"] },
    ],
  ),
  changes(
    "optional old self",
    {
      phase: {
        ...text,
        "x-kubernetes-validations": [
          {
            rule: "oldSelf.hasValue() || self == 'New'",
            message: "begins as New",
            optionalOldSelf: true,
          },
          {
            rule: "oldSelf.optMap(old, old != 'Done' || self == 'Done').orValue(true)",
            message: "Done is the end",
            optionalOldSelf: true,
          },
        ],
      },
    },
    { phase: "Old" },
    [],
  ),
  changes(
    "optional old self on updates",
    {
      phase: {
        ...text,
        "x-kubernetes-validations": [
          {
            rule: "oldSelf.optMap(old, old != 'Done' || self == 'Done').orValue(true)",
            message: "Done is the end",
            optionalOldSelf: true,
          },
        ],
      },
    },
    { phase: "New" },
    [{ phase: "Done" }, { phase: "New" }, { phase: "Done" }],
  ),
  {
    name: "what was wrong before may stay",
    steps: [
      ...withRules([], [], { a: text, list: { type: "array", maxItems: 9, items: text } }).slice(
        0,
        3,
      ),
      jsonStep("POST", things, thing("a", { spec: { a: "long enough", list: ["wrong"] } }), {
        prepare: true,
      }),
      jsonStep(
        "PATCH",
        oneDefinition,
        {
          spec: {
            versions: [
              {
                name: "v1",
                served: true,
                storage: true,
                schema: {
                  openAPIV3Schema: {
                    type: "object",
                    properties: {
                      spec: {
                        type: "object",
                        properties: {
                          a: { type: "string", maxLength: 5 },
                          b: text,
                          list: {
                            type: "array",
                            maxItems: 9,
                            items: { ...text, enum: ["right"] },
                          },
                          added: {
                            type: "object",
                            properties: { x: { type: "string", maxLength: 5 } },
                          },
                        },
                        "x-kubernetes-validations": [
                          { rule: "!has(self.b) || self.b == 'b'", message: "b must be b" },
                        ],
                      },
                    },
                  },
                },
              },
            ],
          },
        },
        { prepare: true },
      ),
      // The new schema is in force once it knows the new field.
      jsonStep(
        "POST",
        `${things}?dryRun=All`,
        thing("probe", { spec: { added: { x: "much too long" } } }),
        { keep: ["reason"], until: ["reason", "Invalid"] },
      ),
      jsonStep("PATCH", `${things}/a`, { metadata: { labels: { x: "y" } } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { b: "b" } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { b: "c" } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { a: "also long" } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { list: ["wrong", "right"] } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { a: "short", list: ["right"] } }, kept),
      jsonStep("DELETE", oneDefinition, undefined, { prepare: true }),
    ],
  },
  refused(
    "rules that do not fit their types",
    [
      "self.text == 1",
      "self.nothing == 1",
      "self.text.nothing",
      "nothing(1)",
      "self.text.nothing()",
      "1 + 'a' == 'b'",
      "[1, 'a'] == []",
      "{'a': 1, 'b': 'c'} == {}",
      "self.numbers.all(x, x)",
      "self.numbers.filter(x, x) == []",
      "self.count.all(x, true)",
      "self.text && true",
      "self.count ? true : false",
      "true ? 1 : 'a'",
      "self.open.x == 1",
      "has(self)",
      "has(self.nothing)",
      "self.text == nothing",
      "self.numbers['a'] == 1",
      "!self.count",
      "self.count in self.text",
      "self.when == 1",
      "self.numbers.map(x, x.y) == []",
      "[1, 2].all(1, true)",
      "self.?text == 1",
      "quantity(1) == 1",
      "self.count == 1.0",
      "self.count == null",
      "self.text.split(1) == []",
      "self.text.matches('[')",
      "timestamp('x') == self.when",
      "duration('x') == self.period",
      "cel.bind(x, 1, x == 1)",
      "math.greatest(1, 2) == 2",
      "oldSelf.nothing == 1",
      "self.text\n == 1",
    ].map((rule) => ({ rule, message: "m" })),
  ),
  refused("rules that are no rules", [
    "self.count",
    "'text'",
    "self.text ==",
    "self.text == 'a' 'b'",
    { rule: "true", messageExpression: "1" },
    { rule: "true", messageExpression: "nothing" },
    { rule: "true", messageExpression: "self.text +" },
    { rule: "true", optionalOldSelf: true },
  ]),
  refused("rules without a shape", [
    { rule: "", message: "m" },
    { rule: "  " },
    { rule: "true", message: " " },
    { rule: "true", message: "a\nb" },
    { rule: "true\n&& true" },
    { rule: "true", messageExpression: " " },
    { rule: "true", reason: "Wrong" },
    { rule: "true", fieldPath: "count" },
    { rule: "true", fieldPath: ".nothing" },
    { rule: "true", fieldPath: ".count.x" },
    { rule: "true", fieldPath: ".texts[0]" },
    { rule: "true", fieldPath: ".nested.a-b" },
    { rule: "true", fieldPath: " " },
    { rule: "true", fieldPath: ".labels['x']" },
    { rule: "true", fieldPath: ".keyed['x']" },
    { rule: "true", message: "x".repeat(2049) },
  ]),
  refused("old self where it cannot be", [], {
    atomic: {
      type: "array",
      maxItems: 5,
      items: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
    set: {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "set",
      items: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] },
    },
    deep: {
      type: "array",
      maxItems: 5,
      items: {
        type: "object",
        properties: { x: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } },
      },
    },
    keyed: {
      type: "array",
      maxItems: 5,
      "x-kubernetes-list-type": "map",
      "x-kubernetes-list-map-keys": ["key"],
      items: {
        type: "object",
        required: ["key"],
        properties: { key: { ...text, "x-kubernetes-validations": [{ rule: "self == oldSelf" }] } },
      },
    },
  }),
  refused("rules in junctors", [], {
    x: {
      type: "object",
      properties: { k: text },
      anyOf: [{ properties: { k: { "x-kubernetes-validations": [{ rule: "true" }] } } }],
    },
  }),
  refused("rules on what has no type", [], {
    x: {
      "x-kubernetes-preserve-unknown-fields": true,
      "x-kubernetes-validations": [{ rule: "true" }],
    },
  }),
  decided("optional items", [
    "[?self.?text, ?self.?maybe] == ['Hello, wörld']",
    "[?self.?maybe, 'x'].size() == 1",
    "{?'a': self.?text, ?'b': self.?maybe, 'c': 'd'}.size() == 2",
    "{?'a': self.?maybe} == {}",
    "[?optional.none()].size() == 0",
    "self.texts[?0].hasValue()",
    "[?self.texts[?9]].size() == 1",
  ]),
  refused("optional items that are none", ["[?self.count].size() == 1"]),
  {
    name: "what was broken before is warned of",
    steps: [
      jsonStep("POST", definitions, ruled([], ratcheted()), { prepare: true }),
      jsonStep("GET", oneDefinition, undefined, { prepare: true, until: established }),
      jsonStep("GET", things, undefined, { prepare: true, until: ["kind", "ThingList"] }),
      jsonStep("POST", things, thing("a", { spec: { low: 1, list: [1, 2], free: "x" } }), kept),
      jsonStep(
        "PATCH",
        oneDefinition,
        {
          spec: {
            versions: [
              {
                name: "v1",
                served: true,
                storage: true,
                schema: {
                  openAPIV3Schema: {
                    type: "object",
                    properties: { spec: { type: "object", properties: ratcheted("self > 5") } },
                  },
                },
              },
            ],
          },
        },
        { contentType: "application/merge-patch+json", prepare: true },
      ),
      jsonStep("POST", `${things}?dryRun=All`, thing("b", { spec: { low: 2 } }), {
        keep: ["reason"],
        until: ["reason", "Invalid"],
      }),
      jsonStep("PATCH", `${things}/a`, { spec: { free: "y" } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { low: 2 } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { list: [1, 9] } }, kept),
      jsonStep("PATCH", `${things}/a`, { spec: { low: 7 } }, kept),
      jsonStep("DELETE", oneDefinition, undefined, { prepare: true }),
    ],
  },
];

/** Fields with a rule, or without one, so that objects can be there before it. */
function ratcheted(rule?: string): object {
  const validations = rule === undefined ? {} : { "x-kubernetes-validations": [{ rule }] };
  const number = { type: "integer", ...validations };
  return { low: number, free: text, list: { type: "array", maxItems: 5, items: number } };
}
