/** The example of the design, as it is written there, comments and all. */
export const seedYaml = `apiVersion: kontinue.io/v1alpha1
kind: ClusterSupplyChain
metadata:
  name: responsible-ops
spec:
  selector:
    app: web
  resources:
    - name: source-provider
      templateRef:
        kind: ClusterSourceTemplate
        options:                                  # <--- a list
        - name: git-template
          selector:
            matchFields:
              - key: workload.spec.source.git       # <--- path to field in template context
                operator: Exists
        - name: imgpkg-bundle-template
          selector:
            matchFields:
              - key: workload.spec.source.image       # <--- path to field in template context
                operator: Exists

---
apiVersion: kontinue.io/v1alpha1
kind: Workload
metadata:
  name: petclinic
  labels:
    app: web
spec:
  source:
    git:                                        # <--- Presence of this field will determine the conditional
      url: https://github.com/spring-projects/spring-petclinic.git
      ref:
        branch: main
`;
