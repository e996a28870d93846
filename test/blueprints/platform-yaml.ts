/** A platform of three steps whose templates stamp ConfigMaps; UNIQUE makes it a test's own. */
export function platformYaml(group = "kontinue.io"): string {
  return `
apiVersion: ${group}/v1alpha1
kind: ClusterSupplyChain
metadata: {name: chain-UNIQUE}
spec:
  selector: {test: UNIQUE}
  resources:
    - name: source-provider
      templateRef:
        kind: ClusterSourceTemplate
        options:
          - name: git-UNIQUE
            selector: {matchFields: [{key: workload.spec.source.git, operator: Exists}]}
          - name: image-UNIQUE
            selector: {matchFields: [{key: workload.spec.source.image, operator: Exists}]}
    - name: image-builder
      templateRef: {kind: ClusterImageTemplate, name: kpack-UNIQUE}
      sources: [{name: source, resource: source-provider}]
    - name: runner
      templateRef: {kind: ClusterTemplate, name: app-UNIQUE}
      images: [{name: image, resource: image-builder}]
---
apiVersion: ${group}/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: git-UNIQUE}
spec:
  urlPath: .data.url
  revisionPath: .data.revision
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: $(workload.metadata.name)$-git}
    data: {url: $(workload.spec.source.git.url)$, revision: $(workload.spec.source.git.ref.branch)$}
---
apiVersion: ${group}/v1alpha1
kind: ClusterSourceTemplate
metadata: {name: image-UNIQUE}
spec:
  urlPath: .data.image
  revisionPath: .metadata.annotations['example.com/found']
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: $(workload.metadata.name)$-bundle}
    data: {image: $(workload.spec.source.image)$}
---
apiVersion: ${group}/v1alpha1
kind: ClusterImageTemplate
metadata: {name: kpack-UNIQUE}
spec:
  imagePath: .data.image
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: $(workload.metadata.name)$-image}
    data: {image: "$(source.url)$:$(source.revision)$"}
---
apiVersion: ${group}/v1alpha1
kind: ClusterTemplate
metadata: {name: app-UNIQUE}
spec:
  template:
    apiVersion: v1
    kind: ConfigMap
    metadata: {name: $(workload.metadata.name)$-app}
    data: {image: $(image)$}
---
`;
}

export function workloadYaml(name: string, spec: string, group = "kontinue.io"): string {
  return `
apiVersion: ${group}/v1alpha1
kind: Workload
metadata: {name: ${name}, namespace: UNIQUE, labels: {test: UNIQUE}}
spec: ${spec}
---
`;
}

export const gitSource = "{source: {git: {url: u, ref: {branch: main}}}}";
export const imageSource = "{source: {image: i}}";
