import type { KubernetesObject } from "../objects/index.ts";
import { type ProgramDesired, recordOfObject } from "../plan/index.ts";
import { type ProgramResource, withSecretPaths } from "../resources/index.ts";

/** Providers say of outputs that they are secret; what other resources take of these is not shown either. */
export function withRecordedSecrets(
  desired: ProgramDesired,
  live: ReadonlyMap<string, KubernetesObject>,
): ProgramDesired {
  const recorded = [...desired.resources].map(([key, resource]): ProgramResource => {
    const found = live.get(key);
    const { secret = [] } = (found === undefined ? undefined : recordOfObject(found))?.spec ?? {};
    if (secret.length === 0) return resource;
    const { options } = resource;
    return { ...resource, options: { ...options, secret: [...(options.secret ?? []), ...secret] } };
  });
  const hiding = withSecretPaths(recorded);
  const resources = new Map(
    [...desired.resources].map(([key, each], index) => [key, hiding[index] ?? each] as const),
  );
  return { ...desired, resources };
}
