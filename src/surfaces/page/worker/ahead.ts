/** Sends parts of a run while it is made: the reader sees its beginning, and the page reads it on another core. */
import type { RenewalInterval } from '../../../controlplane/runtime/index.ts';
import { itemsOf, type Scenario } from '../../../lab/scenario/index.ts';
import type { SimulateOptions } from '../../../lab/simulation/index.ts';
import { entryPacker } from '../packing.ts';
import type { PackedRun, Part, RunData } from '../protocol.ts';
import { MOST } from '../run-data.ts';

/** Entries of a part: a run with fewer entries is sent only at its end. */
export const PART = 4096;

/** Entries of the first part, which is the first picture. */
export const FIRST_PART = 1024;

export interface Ahead extends Pick<SimulateOptions, 'onEntry' | 'onPrologue' | 'onRenewalInterval'> {
  /** Number of entries that were sent as parts. */
  readonly sent: number;
  /** The end of a run, without what was sent. */
  rest(run: RunData): PackedRun;
}

const hasQuestions = ({ steps }: Scenario): boolean => itemsOf(steps).some(({ step }) => step.ask !== undefined);

/** Returns the options for sending parts of a run. A lesson with questions is not sent in parts, because it would give away the answers. */
export function sendAhead(scenario: Scenario, seed: number, send: (part: Part) => void): Ahead | undefined {
  if (hasQuestions(scenario)) return undefined;
  const renewalIntervals = new Map<number, RenewalInterval>();
  const pack = entryPacker();
  let prologue: unknown[] = [];
  let entries: unknown[] = [];
  let sent = 0;
  const { startAt, untilMs } = scenario;
  const post = (at: number): void => {
    sent += entries.length;
    send({
      is: 'part',
      run: { ...soFar(scenario, seed), lengthMs: at - startAt },
      trace: { startAt, renewalIntervals: [...renewalIntervals.values()] },
      prologue,
      entries,
      ...(untilMs === undefined ? {} : { untilMs }),
    });
    [prologue, entries] = [[], []];
  };
  return {
    get sent() {
      return sent;
    },
    onPrologue(entry) {
      prologue.push(pack(entry));
    },
    onEntry(entry) {
      if (sent >= MOST) return;
      entries.push(pack(entry));
      if (entries.length >= Math.min(sent === 0 ? FIRST_PART : PART, MOST - sent)) post(entry.at);
    },
    onRenewalInterval(renewalInterval) {
      renewalIntervals.set(renewalInterval.order, renewalInterval);
    },
    rest({ trace: { prologue: _, entries: all, ...trace }, ...run }) {
      return { run, trace, prologue, entries: [...entries, ...all.slice(sent + entries.length).map((entry) => pack(entry))] };
    },
  };
}

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
