/** Any text ends with a result: no other error, no endless run, nothing run on this machine. */
import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { expect, it } from "vitest";
import { loadTiltfile } from "../../src/sources/tiltfile/index.ts";
import type { FileAccess } from "../../src/sources/hydrate/index.ts";

const noFiles: FileAccess = {
  kindOf: () => undefined,
  readText: () => {
    throw new Error("there are no files");
  },
  list: () => [],
  realPath: (path) => path,
  link: () => false,
  move: () => {},
  remove: () => {},
};

function survives(text: string): void {
  const result = loadTiltfile({
    path: "Tiltfile",
    text,
    workingDirectory: "/nowhere",
    environment: {},
    files: noFiles,
    run: () => ({ kind: "not-found" }),
    limits: { steps: 20_000 },
  });
  const hasError = result.diagnostics.some(({ severity }) => severity === "error");
  if (result.ending === "failed") expect(hasError).toBe(true);
  for (const { summary, source } of result.diagnostics) {
    expect(summary).not.toBe("");
    expect(source?.start.line ?? 1).toBeGreaterThan(0);
  }
}

const functions =
  "k8s_yaml k8s_resource k8s_kind k8s_image_json_path workload_to_resource_function filter_yaml port_forward link helm kustomize k8s_custom_deploy allow_k8s_contexts docker_build custom_build fast_build default_registry sync run fall_back_on initial_sync restart_container local local_resource probe http_get_action tcp_socket_action exec_action read_file watch_file listdir blob read_json read_yaml read_yaml_stream decode_json decode_yaml decode_yaml_stream encode_json encode_yaml encode_yaml_stream local_git_repo include load_dynamic struct print warn fail exit trigger_mode update_settings ci_settings watch_settings secret_settings version_settings config.define_string config.define_bool config.parse config.set_enabled_resources os.getenv os.putenv os.path.join os.path.relpath os.path.abspath shlex.quote docker_compose dc_resource v1alpha1.extension v1alpha1.extension_repo k8s_resource_assembly_version set_team enable_feature".split(
    " ",
  );
const values = [
  "1",
  "0",
  "-1",
  "1 << 80",
  "2.5",
  "None",
  "True",
  "''",
  "'a'",
  "'a.yaml'",
  "'gcr.io/a/b'",
  "'8000:80'",
  "'a:b:c:d'",
  "b'x'",
  "[]",
  "['a', 1]",
  "{}",
  "{'a': 'b'}",
  "{1: 2}",
  "()",
  "set(['a'])",
  "len",
  "lambda x: x",
  "lambda: 1",
  "os",
  "os.environ",
  "blob('a: [')",
  "blob('kind: Pod\\nmetadata: {name: x}\\napiVersion: v1')",
  "encode_yaml({'a': 1})",
  "encode_yaml_stream([1, None, 'a'])",
  "TRIGGER_MODE_AUTO",
  "sync('a', '/b')",
  "probe(tcp_socket=tcp_socket_action(1))",
  "port_forward(1)",
  "link('x')",
  "fast_build('a', 'b')",
  "'file:///x'",
  "'ext://a'",
  "'\\x00'",
  "'é'",
  "range(3)",
];
const keywords =
  "name workload new_name yaml image port_forwards paths ref context deps command cmd live_update objects labels links kind default args url timeout".split(
    " ",
  );

const argument = oneof(
  constantFrom(...values),
  array(constantFrom(...values), { minLength: 2, maxLength: 2 }).map(
    ([a = "", b = ""]) => `[${a}, ${b}]`,
  ),
  array(constantFrom(...keywords), { minLength: 1, maxLength: 1 }).chain(([name = ""]) =>
    constantFrom(...values).map((value) => `${name}=${value}`),
  ),
);

const call = constantFrom(...functions).chain((name) =>
  array(argument, { maxLength: 5 }).map((args) => {
    const positional = args.filter((arg) => !/^\w+=/.test(arg));
    const named = new Map(
      args.filter((arg) => /^\w+=/.test(arg)).map((arg) => [arg.split("=")[0], arg]),
    );
    return `${name}(${[...positional, ...named.values()].join(", ")})`;
  }),
);

it("any text", () => {
  assert(property(string({ unit: "binary", maxLength: 200 }), survives), { numRuns: 300 });
});

it("any calls of any functions", () => {
  assert(
    property(array(call, { minLength: 1, maxLength: 6 }), (calls) => survives(calls.join("\n"))),
    { numRuns: 3000 },
  );
});
