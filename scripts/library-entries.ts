/** The modules that users import, by the name of their file in `dist/`; package.json exports each. */
export const libraryEntries = {
  index: "src/index.ts",
  outputs: "src/outputs/index.ts",
  sandbox: "src/sandbox/index.ts",
  blueprints: "src/blueprints/authoring/index.ts",
  controller: "src/controller/index.ts",
  engine: "src/engine/library.ts",
};
