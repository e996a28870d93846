import { createHmac } from "node:crypto";

/**
 * What a claim gets: an account, and whatever parameters it asked for. The password is derived, so that
 * the controller has nothing to remember; another `spec.rotation` gives another password.
 */
export function claimContents({ metadata, spec = {} }, key) {
  const { output = "Secret", parameters = {}, rotation = 0 } = spec;
  const data = { username: metadata.name, ...parameters };
  if (output === "ConfigMap") return { kind: "ConfigMap", data };
  const password = createHmac("sha256", key)
    .update(`${metadata.uid} ${rotation}`)
    .digest("base64url");
  return { kind: "Secret", data: { ...data, password }, type: "Opaque" };
}
