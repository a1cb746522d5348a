/** Coverage of a run: which faults coincided with which active controllers, and the reasons of decisions. */
import { bump, keptIn } from '../schema/values/index.ts';
import { withoutChance, type Entry } from './trace/index.ts';

/** Plain data, which can be passed between threads. */
export interface Coverage {
  /** A fault, a controller that was active (it decided in the ten seconds before, or wrote in the ten after), and how often. */
  readonly faults: readonly (readonly [fault: string, controller: string, times: number])[];
  readonly injected: readonly (readonly [fault: string, times: number])[];
  /** A controller, a reason of its decisions without numbers and generated names, and how often. */
  readonly reasons: readonly (readonly [controller: string, reason: string, times: number])[];
}

/** Virtual milliseconds before and after a fault in which a controller counts as active. */
const AT_WORK = 10_000;

type Table = Map<string, Map<string, number>>;

const count = (table: Table, row: string, column: string, times = 1): void => {
  bump(
    keptIn(table, row, () => new Map<string, number>()),
    column,
    times,
  );
};

const rowsOf = (table: Table): readonly (readonly [string, string, number])[] =>
  [...table].flatMap(([row, columns]) => [...columns].map(([column, times]) => [row, column, times] as const));

/** A reason as a branch of the code: numbers are replaced. */
const reasonOf = (why: string): string => withoutChance(why).replaceAll(/\d+(?:\.\d+)?/g, '…');

export type CoverageCollector = ReturnType<typeof collectCoverage>;

export function collectCoverage() {
  const faults: Table = new Map();
  const reasons: Table = new Map();
  const injected = new Map<string, number>();
  const decided = new Map<string, number>();
  const recent: { readonly fault: string; readonly at: number; readonly met: Set<string> }[] = [];
  const meet = (one: { readonly fault: string; readonly met: Set<string> }, controller: string): void => {
    if (one.met.has(controller)) return;
    one.met.add(controller);
    count(faults, one.fault, controller);
  };
  const breaks = (fault: string, at: number): void => {
    const one = { fault, at, met: new Set<string>() };
    recent.push(one);
    for (const [controller, last] of decided) if (last >= at - AT_WORK) meet(one, controller);
  };
  return {
    observe(entry: Entry): void {
      while ((recent[0]?.at ?? Infinity) < entry.at - AT_WORK) recent.shift();
      if (entry.type === 'reconcile') {
        decided.set(entry.controller, entry.at);
        count(reasons, entry.controller, reasonOf(entry.why));
      } else if (entry.type === 'fault' && entry.given !== undefined) {
        bump(injected, entry.fault);
        breaks(entry.fault, entry.at);
      } else if (entry.type === 'write' && entry.controller !== undefined) for (const one of recent) meet(one, entry.controller);
    },
    coverage: (): Coverage => ({ faults: rowsOf(faults), injected: [...injected], reasons: rowsOf(reasons) }),
  };
}

export function sumCoverage(all: readonly Coverage[]): Coverage {
  const faults: Table = new Map();
  const reasons: Table = new Map();
  const injected = new Map<string, number>();
  for (const each of all) {
    for (const [fault, controller, times] of each.faults) count(faults, fault, controller, times);
    for (const [controller, reason, times] of each.reasons) count(reasons, controller, reason, times);
    for (const [fault, times] of each.injected) bump(injected, fault, times);
  }
  return { faults: rowsOf(faults), injected: [...injected], reasons: rowsOf(reasons) };
}
