/** One rule of a default role, its lists written as words; the group without a name is `core`. */
export interface DefaultRule {
  readonly verbs: string;
  readonly groups?: string;
  readonly resources?: string;
  readonly paths?: string;
}

export interface DefaultRole {
  readonly name: string;
  /** The role whose rules these become a part of. */
  readonly aggregatedTo?: string;
  /** Takes its rules from those that are labelled for this role. */
  readonly aggregates?: string;
  readonly rules?: readonly DefaultRule[];
}

export interface DefaultBinding {
  readonly role: string;
  readonly groups: readonly string[];
}

/** The groups that have default roles without anybody's doing. */
export const defaultBindings: readonly DefaultBinding[] = [
  { role: "cluster-admin", groups: ["system:masters"] },
  { role: "system:basic-user", groups: ["system:authenticated"] },
  { role: "system:discovery", groups: ["system:authenticated"] },
  { role: "system:monitoring", groups: ["system:monitoring"] },
  {
    role: "system:public-info-viewer",
    groups: ["system:authenticated", "system:unauthenticated"],
  },
  { role: "system:service-account-issuer-discovery", groups: ["system:serviceaccounts"] },
];

/** The roles that every cluster has for people; those of controllers are not needed here. */
export const defaultRoles: readonly DefaultRole[] = [
  {
    name: "cluster-admin",
    rules: [
      { verbs: "*", groups: "*", resources: "*" },
      { verbs: "*", paths: "*" },
    ],
  },
  {
    name: "admin",
    aggregates: "admin",
  },
  {
    name: "edit",
    aggregatedTo: "admin",
    aggregates: "edit",
  },
  {
    name: "view",
    aggregatedTo: "edit",
    aggregates: "view",
  },
  {
    name: "system:aggregate-to-admin",
    aggregatedTo: "admin",
    rules: [
      { verbs: "create", groups: "authorization.k8s.io", resources: "localsubjectaccessreviews" },
      {
        verbs: "create delete deletecollection get list patch update watch",
        groups: "rbac.authorization.k8s.io",
        resources: "rolebindings roles",
      },
    ],
  },
  {
    name: "system:aggregate-to-edit",
    aggregatedTo: "edit",
    rules: [
      {
        verbs: "get list watch",
        groups: "core",
        resources: "pods/attach pods/exec pods/portforward pods/proxy secrets services/proxy",
      },
      { verbs: "impersonate", groups: "core", resources: "serviceaccounts" },
      {
        verbs: "create delete deletecollection patch update",
        groups: "core",
        resources: "pods pods/attach pods/exec pods/portforward pods/proxy",
      },
      { verbs: "create", groups: "core", resources: "pods/eviction" },
      {
        verbs: "create delete deletecollection patch update",
        groups: "core",
        resources:
          "configmaps persistentvolumeclaims replicationcontrollers replicationcontrollers/scale secrets serviceaccounts services services/proxy",
      },
      { verbs: "create", groups: "core", resources: "serviceaccounts/token" },
      {
        verbs: "create delete deletecollection patch update",
        groups: "core events.k8s.io",
        resources: "events",
      },
      {
        verbs: "create delete deletecollection patch update",
        groups: "apps",
        resources:
          "daemonsets deployments deployments/rollback deployments/scale replicasets replicasets/scale statefulsets statefulsets/scale",
      },
      {
        verbs: "create delete deletecollection patch update",
        groups: "autoscaling",
        resources: "horizontalpodautoscalers",
      },
      {
        verbs: "create delete deletecollection patch update",
        groups: "batch",
        resources: "cronjobs jobs",
      },
      {
        verbs: "create delete deletecollection patch update",
        groups: "extensions",
        resources:
          "daemonsets deployments deployments/rollback deployments/scale ingresses networkpolicies replicasets replicasets/scale replicationcontrollers/scale",
      },
      {
        verbs: "create delete deletecollection patch update",
        groups: "policy",
        resources: "poddisruptionbudgets",
      },
      {
        verbs: "create delete deletecollection patch update",
        groups: "networking.k8s.io",
        resources: "ingresses networkpolicies",
      },
      {
        verbs: "create delete deletecollection get list patch update watch",
        groups: "coordination.k8s.io",
        resources: "leases",
      },
      {
        verbs: "create delete deletecollection patch update",
        groups: "resource.k8s.io",
        resources: "resourceclaims resourceclaimtemplates",
      },
    ],
  },
  {
    name: "system:aggregate-to-view",
    aggregatedTo: "view",
    rules: [
      {
        verbs: "get list watch",
        groups: "core",
        resources:
          "configmaps endpoints persistentvolumeclaims persistentvolumeclaims/status pods replicationcontrollers replicationcontrollers/scale serviceaccounts services services/status",
      },
      {
        verbs: "get list watch",
        groups: "core",
        resources:
          "bindings limitranges namespaces/status pods/log pods/status replicationcontrollers/status resourcequotas resourcequotas/status",
      },
      { verbs: "get list watch", groups: "core", resources: "namespaces" },
      { verbs: "get list watch", groups: "core events.k8s.io", resources: "events" },
      { verbs: "get list watch", groups: "discovery.k8s.io", resources: "endpointslices" },
      {
        verbs: "get list watch",
        groups: "apps",
        resources:
          "controllerrevisions daemonsets daemonsets/status deployments deployments/scale deployments/status replicasets replicasets/scale replicasets/status statefulsets statefulsets/scale statefulsets/status",
      },
      {
        verbs: "get list watch",
        groups: "autoscaling",
        resources: "horizontalpodautoscalers horizontalpodautoscalers/status",
      },
      {
        verbs: "get list watch",
        groups: "batch",
        resources: "cronjobs cronjobs/status jobs jobs/status",
      },
      {
        verbs: "get list watch",
        groups: "extensions",
        resources:
          "daemonsets daemonsets/status deployments deployments/scale deployments/status ingresses ingresses/status networkpolicies replicasets replicasets/scale replicasets/status replicationcontrollers/scale",
      },
      {
        verbs: "get list watch",
        groups: "policy",
        resources: "poddisruptionbudgets poddisruptionbudgets/status",
      },
      {
        verbs: "get list watch",
        groups: "networking.k8s.io",
        resources: "ingresses ingresses/status networkpolicies",
      },
      {
        verbs: "get list watch",
        groups: "resource.k8s.io",
        resources: "resourceclaims resourceclaims/status resourceclaimtemplates",
      },
    ],
  },
  {
    name: "system:auth-delegator",
    rules: [
      { verbs: "create", groups: "authentication.k8s.io", resources: "tokenreviews" },
      { verbs: "create", groups: "authorization.k8s.io", resources: "subjectaccessreviews" },
    ],
  },
  {
    name: "system:basic-user",
    rules: [
      {
        verbs: "create",
        groups: "authorization.k8s.io",
        resources: "selfsubjectaccessreviews selfsubjectrulesreviews",
      },
      { verbs: "create", groups: "authentication.k8s.io", resources: "selfsubjectreviews" },
    ],
  },
  {
    name: "system:discovery",
    rules: [
      {
        verbs: "get",
        paths:
          "/api /api/* /apis /apis/* /healthz /livez /openapi /openapi/* /readyz /version /version/",
      },
    ],
  },
  {
    name: "system:kubelet-api-admin",
    rules: [
      { verbs: "get list watch", groups: "core", resources: "nodes" },
      { verbs: "proxy", groups: "core", resources: "nodes" },
      { verbs: "*", groups: "core", resources: "nodes/log nodes/metrics nodes/proxy nodes/stats" },
      { verbs: "*", groups: "core", resources: "nodes/configz nodes/healthz nodes/pods" },
    ],
  },
  {
    name: "system:monitoring",
    rules: [
      {
        verbs: "get",
        paths:
          "/flagz /healthz /healthz/* /livez /livez/* /metrics /metrics/slis /readyz /readyz/* /statusz",
      },
      { verbs: "get", groups: "core", resources: "nodes/metrics" },
    ],
  },
  {
    name: "system:persistent-volume-provisioner",
    rules: [
      { verbs: "create delete get list watch", groups: "core", resources: "persistentvolumes" },
      { verbs: "get list update watch", groups: "core", resources: "persistentvolumeclaims" },
      { verbs: "get list watch", groups: "storage.k8s.io", resources: "storageclasses" },
      { verbs: "watch", groups: "core", resources: "events" },
      { verbs: "create patch update", groups: "core events.k8s.io", resources: "events" },
    ],
  },
  {
    name: "system:public-info-viewer",
    rules: [{ verbs: "get", paths: "/healthz /livez /readyz /version /version/" }],
  },
  {
    name: "system:service-account-issuer-discovery",
    rules: [
      {
        verbs: "get",
        paths:
          "/.well-known/openid-configuration /.well-known/openid-configuration/ /openid/v1/jwks /openid/v1/jwks/",
      },
    ],
  },
];
