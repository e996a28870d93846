import { objectsAt } from "../../json/index.ts";
import { type DefaultsByType, ensureObject, isSet, setDefault } from "./type-defaults.ts";

const apiextensions = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1";

const apiregistration = "io.k8s.kube-aggregator.pkg.apis.apiregistration.v1";

/** Custom resource definitions, and servers of whole groups. */
export const definitionDefaults: DefaultsByType = {
  [`${apiextensions}.CustomResourceDefinition`]: (definition) => {
    const spec = ensureObject(definition, "spec");
    const names = ensureObject(spec, "names");
    const kind = typeof names["kind"] === "string" ? names["kind"] : "";
    setDefault(names, "singular", kind.toLowerCase());
    if (kind !== "") setDefault(names, "listKind", `${kind}List`);
    if (!isSet(spec, "conversion")) spec["conversion"] = { strategy: "None" };
    const status = ensureObject(definition, "status");
    const stored = objectsAt(spec, "versions").find((version) => version["storage"] === true);
    if (!isSet(status, "storedVersions") && stored !== undefined) {
      status["storedVersions"] = [stored["name"] ?? ""];
    }
  },
  [`${apiextensions}.ServiceReference`]: (service) => setDefault(service, "port", 443),
  [`${apiregistration}.ServiceReference`]: (service) => setDefault(service, "port", 443),
};
