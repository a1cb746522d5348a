/** The next of some things that are made again and again, made in advance while nothing is asked for, so that taking it costs no time. */

const QUIET_MS = 20;
/** What takes longer is not made in advance: it would stand in the way of requests, and it is large. */
const MOST_MS = 250;

export function createSpare<T>(make: () => T) {
  let ready: { readonly made: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let taken = 0;
  let tookMs = 0;
  const timed = (): T => {
    const beganAt = performance.now();
    const made = make();
    tookMs = performance.now() - beganAt;
    return made;
  };
  const stop = (): void => clearTimeout(timer);
  const prepare = (): void => {
    try {
      ready = { made: timed() };
    } catch {
      // The next take makes it, and throws the error.
    }
  };
  return {
    /** Returns the one that is ready, or makes one. After a second one a third is expected, and is made in advance. */
    take(): T {
      stop();
      const made = ready === undefined ? timed() : ready.made;
      ready = undefined;
      if (++taken > 1 && tookMs <= MOST_MS) timer = setTimeout(prepare, QUIET_MS).unref();
      return made;
    },
    /** Call when something is asked for: making waits until it is quiet again. */
    noted() {
      if (ready === undefined) timer?.refresh();
    },
    stop,
  };
}
