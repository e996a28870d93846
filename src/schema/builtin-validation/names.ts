/** What is wrong with a name, by the rule that it must follow; nothing when it follows it. */
export type NameRule = (name: string) => readonly string[];

const labelPattern = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const subdomainPattern = `${labelPattern}(\\.${labelPattern})*`;
const dns1035Pattern = "[a-z]([-a-z0-9]*[a-z0-9])?";
const qualifiedPattern = "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]";
const labelValuePattern = `(${qualifiedPattern})?`;
const configKeyPattern = "[-._a-zA-Z0-9]+";

/** `example.com`: the names of most objects. */
export const subdomainProblems: NameRule = (name) => [
  ...tooLong(name, 253, "characters"),
  ...mismatch(
    name,
    subdomainPattern,
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
    ["example.com"],
  ),
];

/** `*.example.com`: all hosts below one. */
export const wildcardProblems: NameRule = (name) => [
  ...tooLong(name, 253, "characters"),
  ...mismatch(
    name,
    `\\*\\.${subdomainPattern}`,
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character",
    ["*.example.com"],
  ),
];

/** `my-name`: namespaces, containers, hosts. */
export const labelProblems: NameRule = (name) => [
  ...tooLong(name, 63, "characters"),
  ...(name.includes(".")
    ? ["must not contain dots"]
    : mismatch(
        name,
        labelPattern,
        "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character",
        ["my-name", "123-abc"],
      )),
];

/** `abc-123`, beginning with a letter: plural names and versions of definitions. */
export const dns1035Problems: NameRule = (name) => [
  ...tooLong(name, 63, "characters"),
  ...mismatch(
    name,
    dns1035Pattern,
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character",
    ["my-name", "abc-123"],
  ),
];

/** A name that is a segment of a path and nothing more, such as that of a Role. */
export const pathSegmentProblems: NameRule = (name) => {
  if (name === "." || name === "..") return [`may not be '${name}'`];
  return pathPrefixProblems(name);
};

/** The beginning of such a name. */
export const pathPrefixProblems: NameRule = (name) =>
  ["/", "%"].filter((each) => name.includes(each)).map((each) => `may not contain '${each}'`);

/** `prefix/name`: keys of labels and annotations. */
export const qualifiedNameProblems: NameRule = (name) => {
  const parts = name.split("/");
  const problems: string[] = [];
  if (parts.length > 2) {
    return [
      `a qualified name must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character ${regexHint(qualifiedPattern, ["MyName", "my.name", "123-abc"])} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const own = parts.at(-1) ?? "";
  if (parts.length === 2) {
    const prefix = parts[0] ?? "";
    if (prefix === "") problems.push("prefix part must be non-empty");
    else problems.push(...subdomainProblems(prefix).map((each) => `prefix part ${each}`));
  }
  if (own === "") problems.push("name part must be non-empty");
  else problems.push(...tooLong(own, 63, "bytes").map((each) => `name part ${each}`));
  problems.push(
    ...mismatch(
      own,
      qualifiedPattern,
      "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
      ["MyName", "my.name", "123-abc"],
    ),
  );
  return problems;
};

export const labelValueProblems: NameRule = (value) => [
  ...tooLong(value, 63, "bytes"),
  ...mismatch(
    value,
    labelValuePattern,
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
    ["MyValue", "my_value", "12345"],
  ),
];

const standardFinalizers = ["kubernetes", "orphan", "foregroundDeletion"];

/** A finalizer of Kubernetes itself, or a name with a path. */
export const finalizerProblems: NameRule = (name) => {
  const problems = qualifiedNameProblems(name);
  if (name.includes("/") || standardFinalizers.includes(name)) return problems;
  return [...problems, "name is neither a standard finalizer name nor is it fully qualified"];
};

/** Keys of the data of ConfigMaps and Secrets. */
export const configKeyProblems: NameRule = (key) => {
  const problems = [
    ...tooLong(key, 253, "characters"),
    ...mismatch(
      key,
      configKeyPattern,
      "a valid config key must consist of alphanumeric characters, '-', '_' or '.'",
      ["key.name", "KEY_NAME", "key-name"],
    ),
  ];
  if (key === "." || key === "..") problems.push(`must not be '${key}'`);
  else if (key.startsWith("..")) problems.push("must not start with '..'");
  return problems;
};

/** Names of ports. */
export const portNameProblems: NameRule = (name) => {
  const problems: string[] = [];
  if (name.length > 15) problems.push("must be no more than 15 characters");
  if (!/^[-a-z0-9]*$/.test(name)) {
    problems.push("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (!/[a-z]/.test(name)) problems.push("must contain at least one letter (a-z)");
  if (name.includes("--")) problems.push("must not contain consecutive hyphens");
  if (name.startsWith("-") || name.endsWith("-")) {
    problems.push("must not begin or end with a hyphen");
  }
  return problems;
};

/** A path below a folder, such as that of a file in a volume. */
export const relativePathProblems: NameRule = (path) => [
  ...(path.startsWith("/") ? ["must be a relative path"] : []),
  ...backstepProblems(path),
];

/** A relative path that is not one of the names which the kubelet keeps to itself. */
export const filePathProblems: NameRule = (path) => [
  ...relativePathProblems(path),
  ...(path.startsWith("..") && !path.startsWith("../") ? ["must not start with '..'"] : []),
];

export const backstepProblems: NameRule = (path) =>
  path.split("/").includes("..") ? ["must not contain '..'"] : [];

const identifierPattern = "[A-Za-z_][A-Za-z0-9_]*";

/** A name as programs have them. */
export const identifierProblems: NameRule = (name) =>
  mismatch(
    name,
    identifierPattern,
    "a valid C identifier must start with alphabetic character or '_', followed by a string of alphanumeric characters or '_'",
    ["my_name", "MY_NAME", "MyName"],
  );

const headerPattern = "[-A-Za-z0-9]+";

export const headerNameProblems: NameRule = (name) =>
  mismatch(
    name,
    headerPattern,
    "a valid HTTP header must consist of alphanumeric characters or '-'",
    ["X-Header-Name"],
  );

/** Names of drivers of volumes. */
export const driverNameProblems: NameRule = (name) => [
  ...tooLong(name, 63, "characters"),
  ...subdomainProblems(name.toLowerCase()),
];

export const percentProblems: NameRule = (text) =>
  mismatch(
    text,
    "[0-9]+%",
    "a valid percent string must be a numeric string followed by an ending '%'",
    ["1%", "93%"],
  );

export const environmentNameProblems: NameRule = (name) =>
  /^[ -<>-~]+$/.test(name)
    ? []
    : [
        "a valid environment variable name must consist only of printable ASCII characters other than '='",
      ];

function tooLong(text: string, limit: number, unit: string): readonly string[] {
  return Buffer.byteLength(text) > limit ? [`must be no more than ${limit} ${unit}`] : [];
}

function mismatch(
  text: string,
  pattern: string,
  message: string,
  examples: readonly string[],
): readonly string[] {
  if (new RegExp(`^(?:${pattern})$`).test(text)) return [];
  return [`${message} ${regexHint(pattern, examples)}`];
}

function regexHint(pattern: string, examples: readonly string[]): string {
  const shown = examples.map((each) => `'${each}', `).join(" or ");
  return `(e.g. ${shown}regex used for validation is '${pattern}')`;
}
