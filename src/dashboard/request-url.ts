/**
 * What a request asks for. It is always a path here, also where a browser would take it for the name of another
 * host (`//host/…`).
 */
export function requestUrl(target = "/"): URL {
  return new URL(`http://localhost${target.startsWith("/") ? target : "/-/"}`);
}
