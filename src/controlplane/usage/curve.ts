/**
 * An amount as a function of time. Times are milliseconds since the start of the containers or of the run; amounts are whole units of their
 * resource.
 */

export type Curve =
  | { readonly shape: 'constant'; readonly is: number }
  /** From one amount to another in that time; constant after it. */
  | { readonly shape: 'ramp'; readonly from: number; readonly to: number; readonly overMs: number }
  /** Each amount from its instant on, in order; zero before the first. */
  | { readonly shape: 'steps'; readonly steps: readonly { readonly atMs: number; readonly is: number }[] }
  /** From the low amount up to the high one and down again, linearly and repeatedly. */
  | { readonly shape: 'periodic'; readonly low: number; readonly high: number; readonly periodMs: number };

const between = (from: number, to: number, passed: number, over: number): number => Math.trunc(from + ((to - from) * passed) / over);

/** The amount at a time; zero before time zero. */
export function valueAt(curve: Curve, ms: number): number {
  if (ms < 0) return 0;
  switch (curve.shape) {
    case 'constant':
      return curve.is;
    case 'ramp':
      return ms >= curve.overMs ? curve.to : between(curve.from, curve.to, ms, curve.overMs);
    case 'steps':
      return curve.steps.findLast(({ atMs }) => atMs <= ms)?.is ?? 0;
    case 'periodic': {
      const half = curve.periodMs / 2;
      const into = ms % curve.periodMs;
      return into <= half ? between(curve.low, curve.high, into, half) : between(curve.high, curve.low, into - half, half);
    }
    default: {
      const never: never = curve;
      return never;
    }
  }
}

/** The first time at which the amount exceeds a limit; undefined: never. */
export function firstAbove(curve: Curve, limit: number): number | undefined {
  if (valueAt(curve, 0) > limit) return 0;
  switch (curve.shape) {
    case 'constant':
      return undefined;
    case 'steps':
      return curve.steps.find(({ is }) => is > limit)?.atMs;
    case 'ramp':
      return climbs(curve, curve.from, curve.to, curve.overMs, limit);
    case 'periodic':
      return climbs(curve, curve.low, curve.high, curve.periodMs / 2, limit);
    default: {
      const never: never = curve;
      return never;
    }
  }
}

/** The first whole millisecond at which a line that starts at time zero exceeds the limit. */
function climbs(curve: Curve, from: number, to: number, over: number, limit: number): number | undefined {
  if (to <= limit) return undefined;
  let at = Math.max(0, Math.floor(((limit - from) * over) / (to - from)));
  while (valueAt(curve, at) <= limit) at++;
  return at;
}
