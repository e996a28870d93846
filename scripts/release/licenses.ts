import type { Sbom, SbomComponent } from "./sbom.ts";

/** Licences that let users of an Apache-2.0 package do what that licence lets them do. */
const permissive: ReadonlySet<string> = new Set([
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "ISC",
  "MIT",
  "MIT-0",
  "PSF-2.0",
  "Python-2.0",
  "Unlicense",
]);

/** The packages of a version with their licences, as a page, and what is wrong with these. */
export function licenseList({ components }: Sbom): {
  readonly page: string;
  readonly problems: readonly string[];
} {
  const rows = components
    .map((component) => ({ ...component, license: licenseOf(component) }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const problems = rows
    .filter(({ license }) => license === undefined || !permissive.has(license))
    .map(
      ({ name, version, license }) =>
        `${name} ${version} has ${license === undefined ? "no licence" : `the licence ${license}, which is not on the list of permissive ones`}`,
    );
  const page = [
    "# Licences",
    "",
    "The packages that Keelson needs to run, those that come with them, and those whose code is inside it.",
    "",
    "| package | version | licence |",
    "| --- | --- | --- |",
    ...rows.map(
      ({ name, version, license }) => `| ${name} | ${version} | ${license ?? "unknown"} |`,
    ),
    "",
  ].join("\n");
  return { page, problems };
}

function licenseOf({ licenses = [] }: SbomComponent): string | undefined {
  const names = licenses.map(
    ({ license, expression }) => license?.id ?? license?.name ?? expression,
  );
  return names.length === 1 ? names[0] : undefined;
}
