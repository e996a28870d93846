/**
 * How long a test waits for what must come. It is no measure of speed: what hangs has to end before the
 * time of the test is over, and say what it waited for.
 */
export const patienceMs = 100_000;
