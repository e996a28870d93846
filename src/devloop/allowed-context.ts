import { fail, shellWord } from "../diagnostics/index.ts";

/** Names that tools for clusters on one's own machine give to their contexts. */
const localContext =
  /^(?:kind(?:-.+)?|k3d-.+|k3s-.+|minikube|docker-desktop|docker-for-desktop|colima(?:-.+)?|rancher-desktop|microk8s|orbstack|crc-.+|kwok-.+|lima-.+|desktop-.+|keelson-sandbox)$/;

export interface ContextChoice {
  /** None for the sandbox. */
  readonly context: string | undefined;
  /** Whether the user named it for this command. */
  readonly isNamed: boolean;
  readonly allowed: readonly string[];
}

/** A dev loop changes things all the time: it must not find itself on a cluster that others use. */
export function requireAllowedContext({ context, isNamed, allowed }: ContextChoice): void {
  if (context === undefined || isNamed) return;
  if (localContext.test(context) || allowed.includes(context)) return;
  fail({
    code: "devloop.context",
    summary: `the current context ${context} is not known to be a cluster for development`,
    hint: `say --context ${shellWord(context)}, use --sandbox, or put it into "allowedContexts" of keelson.json or allow_k8s_contexts of the Tiltfile`,
  });
}
