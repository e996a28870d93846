const noSuchImage =
  /\bnot found\b|manifest unknown|does not exist|NAME_UNKNOWN|MANIFEST_UNKNOWN|no such manifest/i;
const noAccess =
  /unauthorized|authentication required|denied|forbidden|no basic auth|\b401\b|\b403\b/i;
const noHost = /no such host|dial tcp|connection refused|i\/o timeout|EOF|timeout/i;
const throttled = /too many requests|toomanyrequests|\b429\b/i;

/** The reasons of containers whose image cannot be had. */
export const imageReasons = [
  "ImagePullBackOff",
  "ErrImagePull",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
];

/** Why an image cannot be had, from the reason and the message of the container that waits for it. */
export function imageSummary(image: string, reason: string, message: string): string {
  const name = image === "" ? "the image" : `image ${image}`;
  const registry = registryOf(image);
  if (reason === "InvalidImageName") return `${name} is not a valid image name`;
  if (reason === "ErrImageNeverPull")
    return `${name} is not on the node, and its pull policy is Never`;
  if (throttled.test(message))
    return `${name} cannot be pulled: ${registry} allows no more pulls now`;
  if (noAccess.test(message))
    return `${name} cannot be pulled: ${registry} refuses access (or there is no such image)`;
  if (noSuchImage.test(message) && !/no such host/.test(message))
    return `${name} does not exist in ${registry}`;
  if (noHost.test(message)) return `${name} cannot be pulled: ${registry} cannot be reached`;
  return `${name} cannot be pulled`;
}

/** The registry that an image comes from, as its name says. */
function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === "localhost");
  return isHost ? first : "docker.io";
}
