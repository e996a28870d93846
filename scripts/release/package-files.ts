const expected: readonly RegExp[] = [
  /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md)$/,
  /^bin\/keelson\.js$/,
  /^schema\/keelson\.schema\.json$/,
  /^dist\/(?:LICENSES\.md|THIRD-PARTY-NOTICES\.md|sbom\.cdx\.json)$/,
  /^dist\/(?:[a-z-]+|parts\/[a-zA-Z-]+-[\w-]{8})\.js$/,
  /^dist\/types\/[a-z]+\.d\.ts$/,
  /^dist\/web\/(?:index\.html|assets\/index-[\w-]{8}\.(?:css|js))$/,
];

/** Files without which a package is not whole, whatever its exports name. */
const required: readonly string[] = [
  "LICENSE",
  "CHANGELOG.md",
  "bin/keelson.js",
  "dist/cli.js",
  "dist/LICENSES.md",
  "dist/THIRD-PARTY-NOTICES.md",
  "dist/sbom.cdx.json",
  "dist/web/index.html",
];

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly types: string }>>;
}

/** What should not be in a package, or is missing in it. */
export function fileProblems(files: readonly string[], { exports }: Manifest): readonly string[] {
  const types = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : target.types.replace("./", ""),
  );
  return [
    ...files
      .filter((file) => !expected.some((pattern) => pattern.test(file)))
      .map((file) => `${file} should not be in the package`),
    ...files
      .filter((file) => file.endsWith(".d.ts") && !types.includes(file))
      .map((file) => `${file} holds the types of no export`),
    ...[...required, ...types]
      .filter((file) => !files.includes(file))
      .map((file) => `${file} is missing in the package`),
  ];
}
