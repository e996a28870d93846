import { randomBytes } from "node:crypto";
import type { ApiContext } from "./api/api-context.ts";
import { Authorizer } from "./api/authorization/authorizer.ts";
import { answerRequest, handleRequest } from "./api/handle-request.ts";
import { Identities } from "./api/identities.ts";
import type { ApiRequest, ApiResponse, User } from "./api/request.ts";
import { Rounds } from "./api/rounds.ts";
import { ResourceRegistry } from "./api/resource-registry.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type Random, systemRandom } from "./random.ts";
import { startRuntime } from "./runtime/start-runtime.ts";
import type { Persistence } from "./store/persistence.ts";
import { Store } from "./store/store.ts";

export interface SandboxOptions {
  /** Where objects are kept; without it they live as long as the sandbox. */
  readonly persistence?: Persistence;
  readonly clock?: Clock;
  readonly random?: Random;
  /** The administrator's token; a new one unless given. */
  readonly token?: string;
  /** Without the simulated runtime objects stay as they are written; deletion still cascades. */
  readonly workloads?: boolean;
  /** Whether the annotation `sandbox.keelson.dev/run` may start processes of this machine. */
  readonly allowProcesses?: boolean;
}

/** A Kubernetes API in this process. */
export interface Sandbox {
  readonly context: ApiContext;
  /** The administrator's token. */
  readonly token: string;
  /** Answers at once; with webhooks, which take time, `answer` is to be used. */
  readonly handle: (request: ApiRequest) => ApiResponse;
  readonly answer: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>;
  readonly authenticate: (token: string) => User | undefined;
  readonly close: () => void;
}

export function openSandbox(options: SandboxOptions = {}): Sandbox {
  try {
    return startSandbox(options);
  } catch (error) {
    options.persistence?.close();
    throw error;
  }
}

function startSandbox(options: SandboxOptions): Sandbox {
  const store = new Store(options.persistence);
  const clock = options.clock ?? systemClock;
  const token = options.token ?? randomBytes(24).toString("base64url");
  const identities = new Identities({ adminToken: token, store, now: clock.now });
  const rounds = new Rounds(store);
  const context: ApiContext = {
    store,
    registry: new ResourceRegistry(),
    clock,
    random: rounds.steady(options.random ?? systemRandom),
    identities,
    authorizer: new Authorizer(store),
    rounds,
  };
  const stopRuntime = startRuntime(context, {
    workloads: options.workloads ?? true,
    allowProcesses: options.allowProcesses ?? false,
  });
  return {
    context,
    token,
    handle: (request) => handleRequest(context, request),
    answer: (request) => answerRequest(context, request),
    authenticate: (given) => identities.authenticate(given)?.user,
    close: () => {
      stopRuntime();
      store.close();
    },
  };
}
