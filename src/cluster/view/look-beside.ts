export interface LookBesideOptions {
  /** How long a watch may be silent before something is read. */
  readonly silenceMs: number;
  /** How many events the watch has told so far. */
  readonly told: () => number;
  /** Reads what somebody waits for; true when that brought news. */
  readonly read: () => Promise<boolean>;
}

const longestSilenceMs = 5_000;

/**
 * Reads beside a watch that is silent, a little less often while that brings no news: nobody can tell a
 * watch that has nothing to tell from one that a proxy holds back. Returns how to stop.
 */
export function lookBeside({ silenceMs, told, read }: LookBesideOptions): () => void {
  let timer: NodeJS.Timeout | undefined;
  let heard = told();
  let isStopped = false;
  const look = async (delayMs: number): Promise<void> => {
    const isSilent = heard === told();
    const hasNews = isSilent ? await read() : true;
    heard = told();
    if (!isStopped)
      lookAfter(
        hasNews ? silenceMs : Math.min(Math.max(longestSilenceMs, silenceMs), delayMs * 1.5),
      );
  };
  const lookAfter = (delayMs: number): void => {
    timer = setTimeout(() => void look(delayMs), delayMs).unref();
  };
  lookAfter(silenceMs);
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}
