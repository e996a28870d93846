/** The names of types that expressions can compare `type(x)` with. */
export const typeNames: ReadonlySet<string> = new Set([
  ..."bool bytes double int list map null_type string type uint".split(" "),
  ..."google.protobuf.Timestamp google.protobuf.Duration optional_type net.IP net.CIDR".split(" "),
  ..."kubernetes.URL kubernetes.Quantity kubernetes.Semver".split(" "),
]);
