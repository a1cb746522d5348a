/**
 * Sends a run ahead while it is made: whoever asked for a long one looks at its beginning meanwhile, and the page reads it on the other
 * core.
 */
import type { RenewalInterval } from '../../../controlplane/runtime/index.ts';
import { itemsOf, type Scenario } from '../../../lab/scenario/index.ts';
import type { SimulateOptions } from '../../../lab/simulation/index.ts';
import type { Entry } from '../../../lab/trace/index.ts';
import type { Part, RunData } from '../protocol.ts';
import { LONGEST } from '../run-data.ts';

/** Entries of a part: a run that has no more is not sent ahead at all. */
export const PART = 4096;

export interface Ahead extends Pick<SimulateOptions, 'onEntry' | 'onPrologue' | 'onRenewalInterval'> {
  /** Entries that went ahead. */
  readonly sent: number;
}

/** What a run is made with for parts of it to go ahead. Where a lesson asks, nothing does: it would give the answers away. */
export function sendAhead(scenario: Scenario, seed: number, send: (part: Part) => void): Ahead | undefined {
  if (itemsOf(scenario.steps).some(({ step }) => step.ask !== undefined)) return undefined;
  const renewalIntervals = new Map<number, RenewalInterval>();
  let prologue: Entry[] = [];
  let entries: Entry[] = [];
  let sent = 0;
  const post = (at: number): void => {
    const trace = { startAt: scenario.startAt, prologue, entries, renewalIntervals: [...renewalIntervals.values()] };
    sent += entries.length;
    send({ is: 'part', run: { ...soFar(scenario, seed), trace, lengthMs: at - scenario.startAt } });
    [prologue, entries] = [[], []];
  };
  return {
    get sent() {
      return sent;
    },
    onPrologue(entry) {
      prologue.push(entry);
    },
    onEntry(entry) {
      if (sent >= LONGEST) return;
      entries.push(entry);
      if (entries.length >= Math.min(PART, LONGEST - sent)) post(entry.at);
    },
    onRenewalInterval(renewalInterval) {
      renewalIntervals.set(renewalInterval.order, renewalInterval);
    },
  };
}

/** All that can be said of a run before its end. */
const soFar = ({ name, title, teaches }: Scenario, seed: number): Omit<RunData, 'trace' | 'lengthMs'> => ({
  name,
  seed,
  verdict: 'held',
  digest: '',
  failures: [],
  invariants: { exercised: 0, broken: 0 },
  lesson: { title: title ?? name, ...(teaches === undefined ? {} : { teaches }), narrationSteps: [], looks: [] },
  unfinished: true,
});
