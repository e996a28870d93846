import type { DiagnosticCodeDoc } from "./code-doc.ts";

export const clusterCodes = {
  "cluster.none": {
    meaning:
      "There is no kubeconfig that names a cluster, and the process does not run in one. In CI and without a terminal the sandbox does not take its place.",
    remedy:
      "Give a cluster with KUBECONFIG or --kubeconfig, or ask for the sandbox with --sandbox or KEELSON_SANDBOX=1.",
  },
  "cluster.unreachable": {
    meaning: "The API server did not answer: the address is wrong, or the server is down.",
    remedy: "Check the server address of the context and that the cluster runs.",
  },
  "cluster.certificate": {
    meaning:
      "The TLS connection to the API server failed: its certificate is not trusted, has expired or names another host, or it refused the client certificate.",
    remedy:
      "Check certificate-authority, tls-server-name and client-certificate of the context; fetch a new kubeconfig when certificates were renewed.",
  },
  "cluster.timeout": {
    meaning: "The API server did not answer a request in time.",
    remedy: "Try again; when it stays, look at the load of the API server and of etcd.",
  },
  "cluster.unauthorized": {
    meaning:
      "The API server does not accept the credentials: the token or certificate is not valid.",
    remedy: "Log in again, or fetch a new kubeconfig.",
  },
  "cluster.forbidden": {
    meaning: "The user is known to the API server but may not do this.",
    remedy: "Ask for a Role or ClusterRole with the verb and resource that the message names.",
  },
  "cluster.not-found": {
    meaning: "The object, or the namespace that is to hold it, does not exist.",
    remedy: "Check the name and the namespace.",
  },
  "cluster.already-exists": {
    meaning: "An object of this name exists already, so that it cannot be created.",
    remedy: "Apply instead of creating, or use another name.",
  },
  "cluster.conflict": {
    meaning:
      "The object was changed by somebody else: another field manager owns a field, or the resource version or UID is no longer the expected one.",
    remedy:
      "Look at what the other manager set; take the field over by force, or leave it out of the configuration.",
  },
  "cluster.invalid": {
    meaning: "The API server refused the object because fields of it are not valid.",
    remedy: "Correct the fields that the message names.",
  },
  "cluster.bad-request": {
    meaning: "The API server could not make sense of a request.",
    remedy: "Check that the object follows the schema of its kind.",
  },
  "cluster.too-many-requests": {
    meaning: "The API server kept refusing requests because it is overloaded.",
    remedy: "Wait until the load of the API server has gone down, then try again.",
  },
  "cluster.expired": {
    meaning: "The resource version that a list or watch should go on from is no longer kept.",
    remedy: "Start again with a new list.",
  },
  "cluster.server-error": {
    meaning: "The API server, or an admission webhook behind it, failed while handling a request.",
    remedy: "Look at the log of the API server, and at the webhooks when the message names one.",
  },
  "cluster.unexpected-answer": {
    meaning: "What answered does not speak the Kubernetes API.",
    remedy: "Check the server address of the context, and proxies in between.",
  },
  "cluster.unknown-kind": {
    meaning: "The cluster does not serve this kind, or not in this version.",
    remedy: "Check apiVersion and kind, or install the CustomResourceDefinition first.",
  },
  "cluster.kubeconfig-missing": {
    meaning: "A kubeconfig that was named does not exist or cannot be read.",
    remedy: "Check --kubeconfig and KUBECONFIG.",
  },
  "cluster.kubeconfig-broken": {
    meaning: "A kubeconfig is not valid YAML, or its content has another shape than a kubeconfig.",
    remedy: "Correct the file at the place that the message names, or fetch it again.",
  },
  "cluster.kubeconfig-incomplete": {
    meaning:
      "The kubeconfig refers to something that is not there: a cluster, a user, or a file with a certificate, key or token.",
    remedy: "Add what is missing, or choose another context.",
  },
  "cluster.unknown-context": {
    meaning: "The context that was asked for is in none of the kubeconfig files.",
    remedy: "Choose one of the contexts that the message lists.",
  },
  "cluster.exec-plugin": {
    meaning:
      "The program that should give the credentials is missing, failed, or gave an answer that is not an ExecCredential.",
    remedy: "Install the program, or run it by hand to see what it says.",
  },
  "cluster.oidc": {
    meaning: "The identity provider gave no new token.",
    remedy: "Log in again; check idp-issuer-url, client-id and refresh-token of the user.",
  },
  "cluster.proxy": {
    meaning: "The proxy between here and the API server refused the connection or did not answer.",
    remedy: "Check proxy-url of the cluster, HTTPS_PROXY and NO_PROXY.",
  },
  "cluster.exec": {
    meaning: "A command could not be run in a container.",
    remedy: "Check that the pod runs, and the names of the container and the command.",
  },
  "cluster.port-forward": {
    meaning: "A port of a pod could not be forwarded.",
    remedy: "Check that the pod runs and listens on the port, and that the local port is free.",
  },
  "cluster.cache-full": {
    meaning: "More objects exist than the local cache of a kind may hold.",
    remedy: "Watch fewer objects: choose a namespace or a label selector.",
  },
} as const satisfies Record<string, DiagnosticCodeDoc>;
