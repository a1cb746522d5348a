/** Sends parts of a run while it is made: the reader sees its beginning, and the page reads it on another core. */
import type { RenewalInterval } from '../../../controlplane/runtime/index.ts';
import { itemsOf, type Scenario } from '../../../lab/scenario/index.ts';
import type { SimulateOptions } from '../../../lab/simulation/index.ts';
import type { Entry } from '../../../lab/trace/index.ts';
import type { Part, RunData } from '../protocol.ts';
import { LONGEST } from '../run-data.ts';

/** Entries of a part: a run with fewer entries is sent only at its end. */
export const PART = 4096;

export interface Ahead extends Pick<SimulateOptions, 'onEntry' | 'onPrologue' | 'onRenewalInterval'> {
  /** Number of entries that were sent as parts. */
  readonly sent: number;
}

/** Returns the options for sending parts of a run. A lesson with questions is not sent in parts, because it would give away the answers. */
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

/** The data of a run before its end. */
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
