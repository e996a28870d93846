/** The test files on the sandbox that run real kubectl or helm, which Go builds. */
export const kubectlTests: readonly string[] = [
  "test/blueprints/admission.test.ts",
  "test/devloop/{dashboard,live}.test.ts",
  "test/live/{helm-hooks,hydration,migrate-helm,program-inputs}.test.ts",
  "test/sandbox/{helm,kubectl,metrics,processes}.test.ts",
  "test/tiltfile/{helm-references,hydrate,projects}.test.ts",
];
