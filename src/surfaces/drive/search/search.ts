/**
 * Searches for faults that break a scenario with programs as its operators. A program is not deterministic: a finding is what breaks in so
 * many of some runs, it is made weaker under the same rule, and it says how often it broke. Every run has a fresh world and fresh programs.
 */
import type { Scenario } from '../../../lab/scenario/index.ts';
import type { Run, RunFailure } from '../../../lab/simulation/index.ts';
import { compareText, repeats } from '../../../schema/values/index.ts';
import { drive, type Driven } from '../drive.ts';
import type { DriveOptions } from '../driving.ts';
import { drawFaults, weaker, withFaults, type PlacedFault } from './draws.ts';

interface ProgramSearchOptions extends DriveOptions {
  /** A finding breaks at least `times` of `of` runs. */
  readonly confirm: { readonly times: number; readonly of: number };
  /** Runs side by side. */
  readonly jobs: number;
  /** Whether to begin another run, of those that draw faults. */
  goesOn(runs: number, findings: number): boolean;
  /** The names of the faults to draw; absent: all. */
  readonly faults?: readonly string[];
  onProgress?(runs: number, findings: number): void;
}

export interface ProgramFinding {
  /** What broke: the invariant, or the message of the step. */
  readonly broke: string;
  readonly words: readonly string[];
  readonly faults: readonly PlacedFault[];
  readonly scenario: Scenario;
  /** How often it broke, of how many runs. */
  readonly rate: { readonly broke: number; readonly of: number };
  /** The run that found it, and the runs that confirmed and reduced it. */
  readonly run: number;
  readonly confirmed: number;
}

export type ProgramSearched = Exclude<Awaited<ReturnType<typeof searchPrograms>>, { unfit: Driven }>;

type Cost = Driven['cost'];

type Searching = ReturnType<typeof newSearching>;

function newSearching(options: ProgramSearchOptions, { run, watched, cost }: Driven) {
  const clients = options.commands.map(({ name }) => name);
  return {
    options,
    clients,
    kinds: kindsShown(run, clients),
    findings: new Map<string, ProgramFinding>(),
    rare: new Set<string>(),
    /** What is being confirmed or is found: the same is not confirmed twice. */
    known: new Set<string>(),
    /** The kinds that programs watched when they were ready. */
    watched,
    runs: 0,
    /** Of all runs. */
    costs: [cost],
  };
}

/** What broke, so that two runs can be compared. */
const broken = ({ failures: [first] }: Run): string | undefined =>
  first === undefined ? undefined : (first.invariant ?? first.message.replaceAll(/\d+/g, 'N'));

/** Runs without faults first, then with them. `unfit`: the scenario does not hold without faults. */
export async function searchPrograms(options: ProgramSearchOptions) {
  const beganAt = performance.now();
  const base = await drive(options);
  if (base.run.failures.length > 0 || base.interrupted) return { unfit: base };
  const searching = newSearching(options, base);
  await Promise.all(Array.from({ length: options.jobs }, () => work(searching)));
  const { costs } = searching;
  const average = (of: (cost: Cost) => number): number => costs.reduce((sum, cost) => sum + of(cost), 0) / costs.length;
  return {
    findings: [...searching.findings.values()].sort((a, b) => a.run - b.run),
    /** What broke too rarely to be confirmed. */
    rare: [...searching.rare],
    /** Runs that drew faults, and all runs. */
    runs: searching.runs,
    allRuns: costs.length,
    /** Real milliseconds of a run, on average: until its programs are ready, and in all. */
    startMs: average(({ readyMs }) => readyMs),
    runMs: average(({ totalMs }) => totalMs),
    /** Of the start: until the world is made, and until a program asks for the first time. */
    worldMs: average(({ worldMs }) => worldMs),
    firstRequestMs: average(({ readyMs, firstRequestMs = readyMs }) => firstRequestMs),
    /** Requests until they are ready, and the kinds that they then watch. */
    startRequests: base.cost.requests,
    startLists: [...new Set([...base.watched.values()].flat())].sort(compareText),
    totalMs: performance.now() - beganAt,
  };
}

/** The kinds that clients were sent changes of. */
function kindsShown({ trace }: Run, clients: readonly string[]): readonly string[] {
  const kinds = new Set<string>();
  for (const entry of trace?.entries ?? []) {
    if (entry.type === 'delivery' && clients.includes(entry.process)) kinds.add(entry.kind);
    if (entry.type === 'process' && entry.what === 'lists') for (const { kind } of entry.lists?.kinds ?? []) kinds.add(kind);
  }
  // Programs list in an order of their own.
  return [...kinds].sort(compareText);
}

const isOver = ({ options, runs, findings }: Searching): boolean =>
  options.signal?.aborted === true || !options.goesOn(runs, findings.size);

async function work(searching: Searching): Promise<void> {
  const { options, clients, kinds, findings } = searching;
  while (!isOver(searching)) {
    const run = ++searching.runs;
    const faults = drawFaults(options.seed, run, clients, options.scenario.steps.length, kinds, options.faults);
    const broke = await once(searching, faults);
    options.onProgress?.(searching.runs, findings.size);
    if (broke === undefined || searching.known.has(broke.key)) continue;
    searching.known.add(broke.key);
    const before = searching.costs.length;
    const rate = await confirmed(searching, faults, broke.key);
    if (rate === undefined) {
      searching.known.delete(broke.key);
      searching.rare.add(broke.key);
      continue;
    }
    const reduced = await reduce(searching, { faults, rate, last: broke.failure }, broke.key);
    const { message, detail } = reduced.last;
    findings.set(broke.key, {
      broke: broke.key,
      words: [...message.split('\n'), ...detail.slice(0, 3)],
      faults: reduced.faults,
      scenario: withFaults(options.scenario, reduced.faults),
      rate: reduced.rate,
      run,
      confirmed: searching.costs.length - before,
    });
  }
}

/** Makes a run with these faults; undefined: it held. */
async function once({ options, watched, costs }: Searching, faults: readonly PlacedFault[]) {
  const { run, interrupted, cost } = await drive({
    ...options,
    scenario: withFaults(options.scenario, faults),
    watchedBefore: watched,
    killsAtEnd: true,
  });
  costs.push(cost);
  const key = interrupted ? undefined : broken(run);
  const [failure] = run.failures;
  return key === undefined || failure === undefined ? undefined : { key, failure };
}

/** Runs again what has broken once, until it has broken in the same way often enough, or cannot any more (undefined). */
async function confirmed(searching: Searching, faults: readonly PlacedFault[], key: string): Promise<ProgramFinding['rate'] | undefined> {
  const { confirm, signal } = searching.options;
  let [broke, made] = [1, 1];
  while (broke < confirm.times || made < confirm.of) {
    if (signal?.aborted === true || broke + (confirm.of - made) < confirm.times) return undefined;
    made++;
    if ((await once(searching, faults))?.key === key) broke++;
  }
  return { broke, of: made };
}

interface Reduced extends Pick<ProgramFinding, 'faults' | 'rate'> {
  readonly last: RunFailure;
}

/** Takes the first weaker form that is confirmed, again and again. */
async function reduce(searching: Searching, found: Reduced, key: string): Promise<Reduced> {
  let current = found;
  const isTried = repeats<string>();
  for (;;) {
    let better: Reduced | undefined;
    for (const faults of weaker(current.faults)) {
      if (isTried(JSON.stringify(faults))) continue;
      const first = await once(searching, faults);
      if (first?.key !== key) continue;
      const rate = await confirmed(searching, faults, key);
      if (rate === undefined) continue;
      better = { faults, rate, last: first.failure };
      break;
    }
    if (better === undefined || searching.options.signal?.aborted === true) return current;
    current = better;
  }
}
