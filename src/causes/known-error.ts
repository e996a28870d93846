/** What an error line means, in words that need no knowledge of its language; undefined for most. */
export function knownError(line: string): string | undefined {
  for (const [pattern, words] of known) {
    const found = pattern.exec(line);
    if (found !== null) return words(found[1] ?? found[2] ?? "");
  }
  return undefined;
}

const known: readonly (readonly [RegExp, (part: string) => string])[] = [
  [
    /(?:EADDRINUSE|[Aa]ddress already in use|AddrInUse|Address in use).*?:(\d+)\s*$/,
    (port) => `port ${port} is already in use`,
  ],
  [
    /(?:listen|bind)\b.*?:(\d+)\b.*address already in use/,
    (port) => `port ${port} is already in use`,
  ],
  [/[Pp]ort (\d+) (?:was|is) already in use/, (port) => `port ${port} is already in use`],
  [/EADDRINUSE|[Aa]ddress already in use|AddrInUse/, () => "the port is already in use"],
  [/heap out of memory|OutOfMemoryError/, () => "out of memory: the heap of the runtime is full"],
  [
    /(?:ECONNREFUSED|dial tcp) ([\w.[\]:-]+:\d+)/,
    (address) => `nothing listens on ${address} (connection refused)`,
  ],
  [
    /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) ([\w.-]+)|lookup ([\w.-]+)[^:]*: no such host/,
    (host) => `the host ${host} is unknown`,
  ],
  [
    /Cannot find (?:module|package) '([^']+)'|No module named '([^']+)'/,
    (module) => `the module ${module} is missing`,
  ],
  [/ENOENT: no such file or directory, \w+ '([^']+)'/, (file) => `the file ${file} does not exist`],
  [/EACCES: permission denied, \w+ '([^']+)'/, (file) => `permission denied: ${file}`],
  [
    /exec format error/i,
    () => "the image is made for another kind of processor (exec format error)",
  ],
];
