import type { KubernetesObject } from "../../src/objects/index.ts";

/** What is known in one situation, as an API server holds it, and the sentence that shall come of it. */
export interface Situation {
  readonly name: string;
  readonly expected: string;
  /** What shows it, where something does. */
  readonly evidence?: string;
  /** What is asked about; all others belong to it. */
  readonly object: KubernetesObject;
  /** By the names of their owners. */
  readonly children?: Readonly<Record<string, readonly KubernetesObject[]>>;
  /** By the names of what they are about. */
  readonly events?: Readonly<Record<string, readonly KubernetesObject[]>>;
  /** By the names of the containers. */
  readonly logs?: Readonly<Record<string, string>>;
}

const since = "2026-06-01T00:00:00Z";

type Fields = Readonly<Record<string, unknown>>;

function object(type: string, name: string, fields: Fields = {}): KubernetesObject {
  const [apiVersion = "", kind = ""] = type.split(" ");
  const { metadata, ...rest } = fields as { readonly metadata?: object };
  return {
    apiVersion,
    kind,
    metadata: { name, namespace: "shop", uid: name, creationTimestamp: since, ...metadata },
    ...rest,
  };
}

const condition = (type: string, status: string, reason = "", message = ""): object => ({
  type,
  status,
  reason,
  message,
  lastTransitionTime: since,
});

const event = (reason: string, message: string, container?: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "Event",
  metadata: { name: "event" },
  reason,
  message,
  firstTimestamp: since,
  lastTimestamp: since,
  involvedObject: container === undefined ? {} : { fieldPath: `spec.containers{${container}}` },
});

/** A container as the status of its pod has it. */
const main = (state: object, rest: object = {}): object => ({
  name: "main",
  ready: false,
  restartCount: 0,
  state,
  lastState: {},
  ...rest,
});
const ended = (exitCode: number, rest: object = {}): object => ({
  terminated: {
    exitCode,
    reason: exitCode === 0 ? "Completed" : "Error",
    finishedAt: since,
    ...rest,
  },
});
const looping = (last: object, restartCount = 4): object =>
  main(
    { waiting: { reason: "CrashLoopBackOff", message: "back-off 1m20s restarting" } },
    { restartCount, lastState: last },
  );
const waiting = (reason: string, message = ""): object => main({ waiting: { reason, message } });

const image = "registry.local:5000/shop/web:12";
const container: Fields = { name: "main", image };

/** A pod in the phase Running, or in another one if it has a colon before its status. */
function pod(status: Fields, spec: Fields = {}, name = "web-7d9f"): KubernetesObject {
  return object("v1 Pod", name, {
    spec: { nodeName: "node-1", containers: [container], ...spec },
    status: { phase: "Running", ...status },
  });
}

const crashed = (exitCode: number, log?: string): Pick<Situation, "object" | "logs"> => ({
  object: pod({ containerStatuses: [looping(ended(exitCode))] }),
  ...(log === undefined ? {} : { logs: { main: log } }),
});

const pulled = (reason: string, message: string, name = image): Pick<Situation, "object"> => ({
  object: pod(
    { phase: "Pending", containerStatuses: [waiting(reason, message)] },
    { containers: [{ name: "main", image: name }] },
  ),
});

const unscheduled = (message: string): Pick<Situation, "object"> => ({
  object: pod({
    phase: "Pending",
    conditions: [condition("PodScheduled", "False", "Unschedulable", message)],
  }),
});

const running = main({ running: { startedAt: since } });
const probed = (kind: string, message: string): Pick<Situation, "object" | "events"> => ({
  object: pod(
    { containerStatuses: [running] },
    { containers: [{ ...container, [kind]: { httpGet: { path: "/healthz", port: 8080 } } }] },
  ),
  events: { "web-7d9f": [event("Unhealthy", message, "main")] },
});

const deployment = (fields: Fields = {}): KubernetesObject =>
  object("apps/v1 Deployment", "web", {
    spec: { replicas: 1 },
    status: { observedGeneration: 1, replicas: 1, updatedReplicas: 1 },
    ...fields,
  });
const replicaSet = (conditions: readonly object[] = []): KubernetesObject =>
  object("apps/v1 ReplicaSet", "web-7d", { status: { conditions } });
const below = (...pods: readonly KubernetesObject[]): NonNullable<Situation["children"]> => ({
  web: [replicaSet()],
  "web-7d": pods,
});
const refused = (message: string): Pick<Situation, "object" | "children"> => ({
  object: deployment(),
  children: { web: [replicaSet([condition("ReplicaFailure", "True", "FailedCreate", message)])] },
});
const outOfMemory = pod(
  { containerStatuses: [looping(ended(137, { reason: "OOMKilled" }), 2)] },
  { containers: [{ ...container, resources: { limits: { memory: "64Mi" } } }] },
);

const nodeLog = `node:events:497
      throw er; // Unhandled 'error' event
      ^

Error: listen EADDRINUSE: address already in use :::3000
    at Server.setupListenHandle [as _listen2] (node:net:1908:16)
    at listenInCluster (node:net:1965:12) {
  code: 'EADDRINUSE',
  errno: -98,
  port: 3000
}

Node.js v24.21.0`;

const pythonLog = `starting
Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
    import flask
ModuleNotFoundError: No module named 'flask'`;

const pythonChainedLog = `Traceback (most recent call last):
  File "/app/main.py", line 7, in connect
    socket.connect(address)
ConnectionRefusedError: [Errno 111] Connection refused

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "/app/main.py", line 12, in <module>
    connect()
  File "/app/main.py", line 9, in connect
    raise RuntimeError("the database does not answer")
RuntimeError: the database does not answer`;

const goPanicLog = `2026/06/01 00:00:00 listening on :8080
panic: runtime error: invalid memory address or nil pointer dereference
[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f1a6]

goroutine 1 [running]:
main.main()
	/src/main.go:9 +0x1d
exit status 2`;

const javaLog = `Exception in thread "main" java.lang.IllegalStateException: Failed to start
	at com.example.Main.main(Main.java:14)
Caused by: com.example.PoolException: no connections
	at com.example.Pool.open(Pool.java:41)
	... 1 more
Caused by: java.net.UnknownHostException: db.internal
	at java.base/java.net.InetAddress.getByName(InetAddress.java:1234)
	... 2 more`;

const springLog = `2026-06-01T00:00:00.000Z ERROR 1 --- [main] o.s.b.d.LoggingFailureAnalysisReporter   :

***************************
APPLICATION FAILED TO START
***************************

Description:

Web server failed to start. Port 8080 was already in use.

Action:

Identify and stop the process that's listening on port 8080.`;

const rubyLog = `/app/server.rb:3:in 'Integer#/': divided by 0 (ZeroDivisionError)
	from /app/server.rb:3:in 'Object#start'
	from /app/server.rb:6:in '<main>'`;

const rustLog = `
thread 'main' panicked at src/main.rs:4:37:
DATABASE_URL must be set: NotPresent
note: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`;

const plainLog = `loading /etc/app.conf
error: option --colour is unknown
usage: app [options]`;

const jsonLog = `{"level":30,"time":1,"msg":"starting"}
{"level":60,"time":2,"msg":"cannot start","err":{"type":"Error","message":"no license"}}
{"level":30,"time":3,"msg":"bye"}`;

export const situations: readonly Situation[] = [
  // Containers that end.
  {
    name: "out of memory",
    object: outOfMemory,
    logs: { main: "RangeError: Invalid typed array length: 4294967296" },
    expected: "out of memory: limit 64Mi, killed 3 times",
    evidence: "RangeError: Invalid typed array length: 4294967296",
  },
  {
    name: "out of memory without a limit",
    object: pod({ containerStatuses: [main(ended(137, { reason: "OOMKilled" }))] }),
    expected: "out of memory: its node has no more, killed once",
  },
  {
    name: "a crash without a log",
    ...crashed(1),
    expected: "the program fails with exit 1, ended 5 times",
  },
  {
    name: "a crash of Node",
    ...crashed(1, nodeLog),
    expected: "port 3000 is already in use, exit 1, ended 5 times",
    evidence: "Error: listen EADDRINUSE: address already in use :::3000",
  },
  {
    name: "a crash of Python",
    ...crashed(1, pythonLog),
    expected: "the module flask is missing, exit 1, ended 5 times",
    evidence: "ModuleNotFoundError: No module named 'flask'",
  },
  {
    name: "a chained crash of Python",
    ...crashed(1, pythonChainedLog),
    expected: "RuntimeError: the database does not answer, exit 1, ended 5 times",
  },
  {
    name: "a panic of Go",
    ...crashed(2, goPanicLog),
    expected:
      "panic: runtime error: invalid memory address or nil pointer dereference, exit 2, ended 5 times",
  },
  {
    name: "a logged end of Go",
    ...crashed(
      1,
      "2026/06/01 00:00:00 listen tcp :8080: bind: address already in use\nexit status 1",
    ),
    expected: "port 8080 is already in use, exit 1, ended 5 times",
    evidence: "listen tcp :8080: bind: address already in use",
  },
  {
    name: "a crash of Java, with the cause of its cause",
    ...crashed(1, javaLog),
    expected: "java.net.UnknownHostException: db.internal, exit 1, ended 5 times",
  },
  {
    name: "a Spring application that cannot start",
    ...crashed(1, springLog),
    expected: "port 8080 is already in use, exit 1, ended 5 times",
    evidence: "Web server failed to start. Port 8080 was already in use.",
  },
  {
    name: "a crash of Ruby",
    ...crashed(1, rubyLog),
    expected: "divided by 0 (ZeroDivisionError), exit 1, ended 5 times",
  },
  {
    name: "a panic of Rust",
    ...crashed(101, rustLog),
    expected: "panic: DATABASE_URL must be set: NotPresent, exit 101, ended 5 times",
  },
  {
    name: "a crash of plain output",
    ...crashed(2, plainLog),
    expected: "error: option --colour is unknown, exit 2, ended 5 times",
  },
  {
    name: "a crash of a program that logs JSON",
    ...crashed(1, jsonLog),
    expected: "cannot start: no license, exit 1, ended 5 times",
  },
  {
    name: "a command that is not in the image, found by a shell",
    ...crashed(127, "sh: 1: serve: not found"),
    expected: "command not found: serve, exit 127, ended 5 times",
  },
  {
    name: "a command that may not be executed",
    ...crashed(126, "sh: 1: /app/run: Permission denied"),
    expected: "command cannot be executed: /app/run, exit 126, ended 5 times",
  },
  {
    name: "a command that the container runtime does not find",
    object: pod({
      containerStatuses: [
        looping(
          ended(128, {
            reason: "StartError",
            message:
              'failed to create containerd task: failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: exec: "serve": executable file not found in $PATH: unknown',
          }),
        ),
      ],
    }),
    expected: "command not found: serve",
  },
  {
    name: "a program that ends but is meant to keep running",
    object: pod({ containerStatuses: [looping(ended(0), 3)] }),
    expected: "the program ends with exit 0, but is meant to keep running, ended 4 times",
  },
  {
    name: "a segmentation fault",
    ...crashed(139, "serving"),
    expected: "segmentation fault (SIGSEGV), exit 139, ended 5 times",
  },
  {
    name: "an image for another processor",
    ...crashed(1, "exec /app/server: exec format error"),
    expected:
      "the image is made for another kind of processor (exec format error), exit 1, ended 5 times",
  },
  {
    name: "a container between two crashes",
    object: pod({
      containerStatuses: [
        main({ running: { startedAt: since } }, { restartCount: 2, lastState: ended(1) }),
      ],
    }),
    logs: { main: "Error: no license" },
    expected: "Error: no license, exit 1, ended 2 times",
  },
  {
    name: "an init container that fails",
    object: pod(
      {
        phase: "Pending",
        initContainerStatuses: [{ ...looping(ended(1)), name: "migrate" }],
        containerStatuses: [waiting("PodInitializing")],
      },
      { initContainers: [{ name: "migrate" }] },
    ),
    logs: { migrate: "fatal: relation orders exists" },
    expected: "fatal: relation orders exists, exit 1, ended 5 times (init container migrate)",
  },
  {
    name: "an init container that does not end",
    object: pod(
      {
        phase: "Pending",
        initContainerStatuses: [
          { name: "wait", ready: false, state: { running: { startedAt: since } } },
        ],
        containerStatuses: [waiting("PodInitializing")],
      },
      { initContainers: [{ name: "wait" }] },
    ),
    expected: "waiting for init container wait to end",
  },
  {
    name: "a sidecar that crashes",
    object: pod(
      {
        initContainerStatuses: [{ ...looping(ended(1)), name: "proxy" }],
        containerStatuses: [waiting("PodInitializing")],
      },
      { initContainers: [{ name: "proxy", restartPolicy: "Always" }] },
    ),
    expected: "the program fails with exit 1, ended 5 times (sidecar proxy)",
  },
  {
    name: "one of two containers",
    object: pod(
      {
        containerStatuses: [
          { ...running, ready: true },
          { ...looping(ended(3)), name: "metrics" },
        ],
      },
      { containers: [container, { name: "metrics" }] },
    ),
    expected: "the program fails with exit 3, ended 5 times (container metrics)",
  },
  // Images.
  {
    name: "an image that does not exist",
    ...pulled(
      "ImagePullBackOff",
      `Back-off pulling image "${image}": ErrImagePull: rpc error: code = NotFound desc = failed to pull and unpack image "${image}": failed to resolve reference "${image}": ${image}: not found`,
    ),
    expected: "image registry.local:5000/shop/web:12 does not exist in registry.local:5000",
  },
  {
    name: "an image that may not be pulled",
    ...pulled(
      "ErrImagePull",
      "failed to authorize: failed to fetch oauth token: unexpected status from GET request: 401 Unauthorized",
      "acme/private:1",
    ),
    expected:
      "image acme/private:1 cannot be pulled: docker.io refuses access (or there is no such image)",
  },
  {
    name: "an image of which only an event says why",
    object: pod({
      phase: "Pending",
      containerStatuses: [waiting("ImagePullBackOff", `Back-off pulling image "${image}"`)],
    }),
    events: {
      "web-7d9f": [
        event(
          "Failed",
          `Failed to pull image "${image}": dial tcp 10.0.0.9:5000: i/o timeout`,
          "main",
        ),
      ],
    },
    expected:
      "image registry.local:5000/shop/web:12 cannot be pulled: registry.local:5000 cannot be reached",
  },
  {
    name: "a name that is no image",
    ...pulled(
      "InvalidImageName",
      'Failed to apply default image tag "Web:1": couldn\'t parse image name "Web:1": invalid reference format',
      "Web:1",
    ),
    expected: "image Web:1 is not a valid image name",
  },
  {
    name: "an image that is never pulled",
    ...pulled(
      "ErrImageNeverPull",
      'Container image "web:dev" is not present with pull policy of Never',
      "web:dev",
    ),
    expected: "image web:dev is not on the node, and its pull policy is Never",
  },
  {
    name: "an image that is being pulled",
    object: pod({ phase: "Pending", containerStatuses: [waiting("ContainerCreating")] }),
    events: { "web-7d9f": [event("Pulling", `Pulling image "${image}"`, "main")] },
    expected: "pulling image registry.local:5000/shop/web:12",
  },
  // What a container refers to.
  {
    name: "a missing Secret",
    object: pod({
      phase: "Pending",
      containerStatuses: [waiting("CreateContainerConfigError", 'secret "db-password" not found')],
    }),
    expected: "Secret db-password does not exist",
  },
  {
    name: "a missing ConfigMap",
    object: pod({
      phase: "Pending",
      containerStatuses: [waiting("CreateContainerConfigError", 'configmap "settings" not found')],
    }),
    expected: "ConfigMap settings does not exist",
  },
  {
    name: "a missing key",
    object: pod({
      phase: "Pending",
      containerStatuses: [
        waiting("CreateContainerConfigError", "couldn't find key port in ConfigMap shop/settings"),
      ],
    }),
    expected: "ConfigMap settings has no key port",
  },
  {
    name: "a missing Secret that is mounted",
    object: pod({ phase: "Pending", containerStatuses: [waiting("ContainerCreating")] }),
    events: {
      "web-7d9f": [
        event("FailedMount", 'MountVolume.SetUp failed for volume "tls" : secret "tls" not found'),
      ],
    },
    expected: "Secret tls does not exist (volume tls)",
  },
  {
    name: "a volume that is attached elsewhere",
    object: pod({ phase: "Pending", containerStatuses: [waiting("ContainerCreating")] }),
    events: {
      "web-7d9f": [
        event(
          "FailedAttachVolume",
          'Multi-Attach error for volume "pvc-1" Volume is already exclusively attached to one node and can\'t be attached to another',
        ),
      ],
    },
    expected: "volume pvc-1 cannot be attached: it is still attached to another node",
  },
  {
    name: "a pod without a network",
    object: pod({ phase: "Pending", containerStatuses: [waiting("ContainerCreating")] }),
    events: {
      "web-7d9f": [
        event(
          "FailedCreatePodSandBox",
          'Failed to create pod sandbox: rpc error: code = Unknown desc = failed to setup network for sandbox "1": plugin type="calico" failed (add): no addresses left',
        ),
      ],
    },
    expected: "its node cannot set up the pod: no addresses left",
  },
  // Pods that are refused.
  {
    name: "a quota that is used up",
    ...refused(
      'pods "web-7d-x" is forbidden: exceeded quota: team, requested: limits.memory=256Mi,pods=1, used: limits.memory=900Mi,pods=3, limited: limits.memory=1Gi,pods=3',
    ),
    expected:
      "quota team is used up: limits.memory 900Mi of 1Gi, needs 256Mi more; pods 3 of 3, needs 1 more",
  },
  {
    name: "a quota that wants limits",
    ...refused(
      'pods "web-7d-x" is forbidden: failed quota: team: must specify limits.memory for: main',
    ),
    expected: "quota team needs the pod to set limits.memory for: main",
  },
  {
    name: "a limit range",
    ...refused(
      'pods "web-7d-x" is forbidden: maximum memory usage per Container is 128Mi, but limit is 256Mi',
    ),
    expected: "limit range: memory 256Mi is over the maximum of 128Mi per Container",
  },
  {
    name: "a missing service account",
    ...refused(
      'pods "web-7d-" is forbidden: error looking up service account shop/robot: serviceaccount "robot" not found',
    ),
    expected: "service account robot does not exist",
  },
  {
    name: "a webhook that refuses",
    ...refused(
      'admission webhook "images.example.com" denied the request: image latest is not allowed',
    ),
    expected: "webhook images.example.com refuses it: image latest is not allowed",
  },
  {
    name: "a webhook that cannot be reached",
    ...refused(
      'Internal error occurred: failed calling webhook "images.example.com": failed to call webhook: Post "https://images.ops.svc:443/": dial tcp 10.0.0.7:443: connect: connection refused',
    ),
    expected: "webhook images.example.com cannot be reached: connection refused",
  },
  {
    name: "a webhook without a service",
    ...refused(
      'Internal error occurred: failed calling webhook "images.example.com": failed to call webhook: Post "https://images.ops.svc:443/": service "images" not found',
    ),
    expected: "webhook images.example.com cannot be reached: its service images does not exist",
  },
  {
    name: "pods that a policy forbids",
    ...refused(
      'pods "web-7d-x" is forbidden: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
    ),
    expected:
      'its pods are refused: violates PodSecurity "restricted:latest": allowPrivilegeEscalation != false',
  },
  {
    name: "pods of a StatefulSet that are refused",
    object: object("apps/v1 StatefulSet", "db", {
      spec: { replicas: 2 },
      status: { observedGeneration: 1, replicas: 0 },
    }),
    events: {
      db: [
        event(
          "FailedCreate",
          'create Pod db-0 in StatefulSet db failed error: pods "db-0" is forbidden: exceeded quota: team, requested: pods=1, used: pods=3, limited: pods=3',
        ),
      ],
    },
    expected: "quota team is used up: pods 3 of 3, needs 1 more; 2 more pods wait for it",
  },
  // Probes.
  {
    name: "a failing readiness probe",
    ...probed("readinessProbe", "Readiness probe failed: HTTP probe failed with statuscode: 503"),
    expected: "readiness probe: GET :8080/healthz answers 503",
  },
  {
    name: "a readiness probe that nothing answers",
    ...probed(
      "readinessProbe",
      'Readiness probe failed: Get "http://10.1.0.3:8080/healthz": dial tcp 10.1.0.3:8080: connect: connection refused',
    ),
    expected: "readiness probe: GET :8080/healthz is refused: nothing listens there",
  },
  {
    name: "a failing startup probe",
    ...probed(
      "startupProbe",
      'Startup probe failed: Get "http://10.1.0.3:8080/healthz": context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
    ),
    expected: "startup probe: GET :8080/healthz gives no answer within 1 s",
  },
  {
    name: "a failing liveness probe that restarts the container",
    object: pod(
      { containerStatuses: [looping(ended(137), 3)] },
      { containers: [{ ...container, livenessProbe: { exec: { command: ["cat", "/alive"] } } }] },
    ),
    events: {
      "web-7d9f": [
        event(
          "Unhealthy",
          "Liveness probe failed: cat: /alive: No such file or directory\n",
          "main",
        ),
      ],
    },
    expected:
      "liveness probe: `cat /alive` fails: cat: /alive: No such file or directory, restarted 3 times",
  },
  {
    name: "a readiness gate that nobody opens",
    object: pod({
      containerStatuses: [{ ...running, ready: true }],
      conditions: [
        condition(
          "Ready",
          "False",
          "ReadinessGatesNotReady",
          'corresponding condition of pod readiness gate "lb.example.com/attached" does not exist.',
        ),
      ],
    }),
    expected: "waiting for the readiness gate lb.example.com/attached",
  },
  // Nodes.
  {
    name: "no node with enough memory",
    ...unscheduled(
      "0/3 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 2 Insufficient memory. preemption: 0/3 nodes are available: 1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.",
    ),
    expected:
      "no node fits: 1 node has a taint that is not tolerated (node-role.kubernetes.io/control-plane), 2 nodes lack memory",
  },
  {
    name: "no node with enough CPU",
    ...unscheduled("0/1 nodes are available: 1 Insufficient cpu."),
    expected: "no node fits: 1 node lacks CPU",
  },
  {
    name: "no node that matches the selector",
    ...unscheduled("0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."),
    expected: "no node fits: 2 nodes do not match the node selector or affinity",
  },
  {
    name: "only nodes that are cordoned",
    ...unscheduled("0/1 nodes are available: 1 node(s) were unschedulable."),
    expected: "no node fits: 1 node is cordoned",
  },
  {
    name: "no nodes at all",
    ...unscheduled("no nodes available to schedule pods"),
    expected: "no node fits: the cluster has no nodes",
  },
  {
    name: "a claim that is not there",
    ...unscheduled(
      '0/1 nodes are available: persistentvolumeclaim "data" not found. preemption: 0/1 nodes are available.',
    ),
    expected: "PersistentVolumeClaim data does not exist",
  },
  {
    name: "a claim that is not bound",
    ...unscheduled("0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims."),
    expected: "no node is chosen: a PersistentVolumeClaim of the pod is not bound",
  },
  {
    name: "an evicted pod",
    object: pod({
      phase: "Failed",
      reason: "Evicted",
      message:
        "The node was low on resource: ephemeral-storage. Threshold quantity: 1Gi, available: 800Mi.",
    }),
    expected: "evicted by its node: the node was low on resource: ephemeral-storage",
  },
  {
    name: "a preempted pod",
    object: pod({
      phase: "Failed",
      conditions: [
        condition(
          "DisruptionTarget",
          "True",
          "PreemptionByScheduler",
          "default-scheduler: preempting to accommodate a higher priority pod",
        ),
      ],
    }),
    expected: "preempted by a pod of higher priority",
  },
  {
    name: "a node that does not answer",
    object: pod({
      containerStatuses: [{ ...running, ready: true }],
      conditions: [condition("Ready", "False")],
    }),
    events: { "web-7d9f": [event("NodeNotReady", "Node is not ready")] },
    expected: "node node-1 does not answer",
  },
  // Workloads.
  {
    name: "a Deployment after its progress deadline",
    object: deployment({
      status: {
        observedGeneration: 1,
        conditions: [
          condition(
            "Progressing",
            "False",
            "ProgressDeadlineExceeded",
            'ReplicaSet "web-7d" has timed out progressing.',
          ),
        ],
      },
    }),
    children: below(outOfMemory),
    expected: "out of memory: limit 64Mi, killed 3 times",
  },
  {
    name: "a Deployment of which others are ready",
    object: deployment({
      spec: { replicas: 3 },
      status: { observedGeneration: 1, replicas: 3, updatedReplicas: 3, readyReplicas: 2 },
    }),
    children: below(pod({ containerStatuses: [looping(ended(1), 0)] })),
    expected: "the program fails with exit 1; 2 of 3 ready",
  },
  {
    name: "a Deployment that is paused",
    object: deployment({
      spec: { replicas: 2, paused: true },
      status: { observedGeneration: 1, replicas: 2, updatedReplicas: 0 },
    }),
    expected: "the rollout is paused: 0 of 2 pods are updated",
  },
  {
    name: "a StatefulSet that waits for its first pod",
    object: object("apps/v1 StatefulSet", "db", {
      spec: { replicas: 3 },
      status: { observedGeneration: 1, replicas: 1 },
    }),
    children: { db: [pod({ containerStatuses: [looping(ended(1), 0)] }, {}, "db-0")] },
    expected: "the program fails with exit 1; 2 more pods wait for it",
  },
  {
    name: "a DaemonSet on some nodes",
    object: object("apps/v1 DaemonSet", "agent", {
      status: {
        observedGeneration: 1,
        desiredNumberScheduled: 3,
        currentNumberScheduled: 3,
        updatedNumberScheduled: 3,
        numberAvailable: 2,
        numberReady: 2,
      },
    }),
    children: {
      agent: [
        unscheduled(
          "0/3 nodes are available: 1 Insufficient memory, 2 node(s) didn't match Pod's node affinity/selector.",
        ).object,
      ],
    },
    expected:
      "no node fits: 1 node lacks memory, 2 nodes do not match the node selector or affinity; ready on 2 of 3 nodes",
  },
  {
    name: "a Job that was given up",
    object: object("batch/v1 Job", "migrate", {
      status: {
        startTime: since,
        failed: 3,
        conditions: [
          condition(
            "Failed",
            "True",
            "BackoffLimitExceeded",
            "Job has reached the specified backoff limit",
          ),
        ],
      },
    }),
    children: {
      migrate: [pod({ phase: "Failed", containerStatuses: [main(ended(1))] }, {}, "migrate-x")],
    },
    logs: { main: "error: relation orders exists" },
    expected: "error: relation orders exists, exit 1; given up after 3 failed pods",
  },
  {
    name: "a Job that takes too long",
    object: object("batch/v1 Job", "migrate", {
      spec: { activeDeadlineSeconds: 30 },
      status: {
        startTime: since,
        conditions: [
          condition(
            "Failed",
            "True",
            "DeadlineExceeded",
            "Job was active longer than specified deadline",
          ),
        ],
      },
    }),
    expected: "took longer than its deadline of 30 s",
  },
  // What does not run.
  {
    name: "a claim without a storage class of that name",
    object: object("v1 PersistentVolumeClaim", "data", { status: { phase: "Pending" } }),
    events: {
      data: [event("ProvisioningFailed", 'storageclass.storage.k8s.io "fast" not found')],
    },
    expected: "storage class fast does not exist",
  },
  {
    name: "a claim that no volume matches",
    object: object("v1 PersistentVolumeClaim", "data", { status: { phase: "Pending" } }),
    events: {
      data: [
        event(
          "FailedBinding",
          "no persistent volumes available for this claim and no storage class is set",
        ),
      ],
    },
    expected: "no volume matches the claim, and it names no storage class",
  },
  {
    name: "a claim whose volume is gone",
    object: object("v1 PersistentVolumeClaim", "data", {
      spec: { volumeName: "pv-1" },
      status: { phase: "Lost" },
    }),
    expected: "its volume pv-1 is gone",
  },
  {
    name: "a finalizer that holds a deletion",
    object: object("example.com/v1 Widget", "w", {
      metadata: { deletionTimestamp: since, finalizers: ["example.com/cleanup"] },
    }),
    expected: "deletion waits for the finalizer example.com/cleanup",
  },
  {
    name: "a namespace that is not empty",
    object: object("v1 Namespace", "shop", {
      metadata: { deletionTimestamp: since, namespace: undefined },
      status: {
        phase: "Terminating",
        conditions: [
          condition(
            "NamespaceFinalizersRemaining",
            "True",
            "SomeFinalizersRemain",
            "Some content in the namespace has finalizers remaining: example.com/cleanup in 2 resource instances",
          ),
        ],
      },
    }),
    expected: "deletion waits: finalizers remaining: example.com/cleanup in 2 resource instances",
  },
  {
    name: "a Service whose selector no pod has",
    object: object("v1 Service", "web", { spec: { selector: { app: "web" } } }),
    children: { web: [object("discovery.k8s.io/v1 EndpointSlice", "web-x", { endpoints: null })] },
    expected: "no pod has the labels app=web",
  },
  {
    name: "a Service whose pods are not ready",
    object: object("v1 Service", "web", { spec: { selector: { app: "web" } } }),
    children: {
      web: [
        object("discovery.k8s.io/v1 EndpointSlice", "web-x", {
          endpoints: [{ conditions: { ready: false } }, { conditions: { ready: false } }],
        }),
      ],
    },
    expected: "none of its 2 pods is ready",
  },
  {
    name: "an autoscaler without metrics",
    object: object("autoscaling/v2 HorizontalPodAutoscaler", "web", {
      status: {
        conditions: [
          condition("AbleToScale", "True"),
          condition(
            "ScalingActive",
            "False",
            "FailedGetResourceMetric",
            "the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: the server could not find the requested resource (get pods.metrics.k8s.io)",
          ),
        ],
      },
    }),
    expected: "no metrics of cpu: the cluster serves none",
  },
  {
    name: "an autoscaler whose pods request nothing",
    object: object("autoscaling/v2 HorizontalPodAutoscaler", "web", {
      status: {
        conditions: [
          condition(
            "ScalingActive",
            "False",
            "FailedGetResourceMetric",
            "the HPA was unable to compute the replica count: failed to get cpu utilization: missing request for cpu in container main of Pod web-7d9f",
          ),
        ],
      },
    }),
    expected: "its pods request no cpu, which it scales by",
  },
  {
    name: "a custom resource that is not ready",
    object: object("example.com/v1 Widget", "w", {
      status: { conditions: [condition("Ready", "False", "NoBackend", "no backend answers")] },
    }),
    expected: "no backend answers",
  },
  {
    name: "a definition whose names are taken",
    object: object("apiextensions.k8s.io/v1 CustomResourceDefinition", "widgets.example.com", {
      status: {
        conditions: [
          condition("NamesAccepted", "False", "KindConflict", '"Widget" is already in use'),
        ],
      },
    }),
    expected: 'its names are taken: "Widget" is already in use',
  },
  {
    name: "an API that its server does not answer for",
    object: object("apiregistration.k8s.io/v1 APIService", "v1beta1.metrics.k8s.io", {
      spec: { service: { name: "metrics-server", namespace: "kube-system" } },
      status: {
        conditions: [
          condition("Available", "False", "FailedDiscoveryCheck", "failing or missing response"),
        ],
      },
    }),
    expected: "its service kube-system/metrics-server does not answer",
  },
];
