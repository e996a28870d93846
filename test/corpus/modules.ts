/** Projects whose manifests everybody installs, as Go modules; the versions are those that were looked at. */
export interface CorpusModule {
  readonly module: string;
  readonly version: string;
  /** Its checksum, where the checksum database has none. */
  readonly sum?: string;
  /** Folders of charts that helm renders without further values. */
  readonly charts?: readonly string[];
  /** Folders that kustomize builds without a network. */
  readonly kustomizations?: readonly string[];
  /** Files that are installed as a whole. */
  readonly installs?: readonly string[];
}

export const corpusModules: readonly CorpusModule[] = [
  {
    module: "github.com/argoproj/argo-cd/v3",
    version: "v3.1.9",
    installs: ["manifests/install.yaml"],
  },
  { module: "github.com/cert-manager/cert-manager", version: "v1.21.2" },
  { module: "github.com/fluxcd/flux2/v2", version: "v2.9.5" },
  { module: "github.com/kedacore/keda/v2", version: "v2.21.0" },
  {
    module: "istio.io/istio",
    version: "v0.0.0-20260827124520-eed52ebb66ad",
    charts: ["manifests/charts/base", "manifests/charts/istio-control/istio-discovery"],
    installs: ["samples/bookinfo/platform/kube/bookinfo.yaml"],
  },
  {
    module: "k8s.io/ingress-nginx",
    version: "v0.0.0-20240708192948-52c50467d67d",
    charts: ["charts/ingress-nginx"],
    installs: ["deploy/static/provider/cloud/deploy.yaml"],
  },
  { module: "knative.dev/serving", version: "v0.51.0" },
  { module: "sigs.k8s.io/cluster-api", version: "v1.14.2" },
  { module: "sigs.k8s.io/gateway-api", version: "v1.5.1" },
  {
    module: "sigs.k8s.io/kustomize",
    version: "v2.0.3+incompatible",
    kustomizations: [
      "examples/helloWorld",
      "examples/ldap/overlays/production",
      "examples/ldap/overlays/staging",
      "examples/multibases",
      "examples/transformerconfigs/crd",
      "examples/wordpress",
    ],
  },
  {
    module: "sigs.k8s.io/metrics-server",
    version: "v0.9.0",
    charts: ["charts/metrics-server"],
  },
];
