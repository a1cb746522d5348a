/** What a process sees stands still, or has a gap: its caches are as of a revision, while its requests go on. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { duration, required } from '../scenario/index.ts';
import { shorter, SPANS, type Fault, type Injection, type Of } from './fault.ts';
import { kindsField, kindsOf, milliseconds, noProcess, planEnd, processField, subjectText } from './parameters.ts';

/** Keeps all watch events from a process for `forMs`: its API server lags behind. */
export function freeze(cluster: Cluster, name: string, forMs: number): void {
  const endsAt = cluster.now + forMs;
  const lift = cluster.addFaults({
    notice: { process: name, says: 'sees nothing new', until: endsAt },
    describe: () => ['freeze', name, endsAt],
    cutUntil: (process) => (process === name ? endsAt : undefined),
  });
  planEnd(cluster, forMs, `${name} sees changes again`, lift);
}

/** Breaks the watches of these kinds (undefined: all) for `forMs`. The lists that follow skip what lay between. */
function breakWatches(cluster: Cluster, name: string, kinds: ReadonlySet<string> | undefined, forMs: number): void {
  const endsAt = cluster.now + forMs;
  const what = kinds === undefined ? 'changes' : `changes of ${[...kinds].join(', ')}`;
  const lift = cluster.addFaults({
    notice: { process: name, says: `receives no ${what} until it lists again`, until: endsAt },
    describe: () => ['gap', name, endsAt, kinds === undefined ? 'all' : [...kinds]],
    delivery: (process, { kind }, now) => (process === name && (kinds === undefined || kinds.has(kind)) ? endsAt - now : undefined),
  });
  planEnd(cluster, forMs, `${name} lists again`, () => {
    lift();
    for (const kind of kinds ?? [undefined]) cluster.runtime.relist(name, kind);
  });
}

export const freezeFault: Fault = {
  name: 'freeze',
  description: 'A process sees nothing new for a while, and its requests go on: its caches are as of one revision.',
  overlap: 'The process sees nothing new until the latest end.',
  subject: processField,
  parameters: { for: required(duration('How long.')) },
  apply(cluster, call) {
    const name = subjectText(call);
    if (cluster.runtime.process(name) === undefined) return noProcess(cluster, name);
    freeze(cluster, name, milliseconds(call, 'for') ?? 0);
    return { detail: `${name} sees nothing new` };
  },
};

export const gapFault: Fault = {
  name: 'gap',
  description: 'Breaks the watches of a process, which lists again after a while: it never sees what lay between.',
  overlap: 'Each lists again at its end. Delays of several faults add up until then.',
  subject: processField,
  parameters: { for: required(duration('How long.')), kinds: kindsField },
  apply(cluster, call) {
    const name = subjectText(call);
    if (cluster.runtime.process(name) === undefined) return noProcess(cluster, name);
    breakWatches(cluster, name, kindsOf(call), milliseconds(call, 'for') ?? 0);
    return { detail: `the watches of ${name} are broken` };
  },
};

const LONG: readonly number[] = SPANS.filter((ms) => ms >= 100);
const frozenFor = (ms: number): Of<'freeze'> => ({ do: 'freeze', ms });

export const freezeInjection: Injection<'freeze'> = {
  name: 'freeze',
  sorts: ['see'],
  description: 'What a process sees of any kind stands still from an event on, while its requests go on.',
  drawn: () => LONG.map(frozenFor),
  weaker: ({ ms }) => shorter(ms).map(frozenFor),
  says: ({ ms }) => `from it on the process sees nothing new of any kind, for ${formatDurationMs(ms)}`,
  see(cluster, { ms }, { process }) {
    freeze(cluster, process, ms);
    return ms;
  },
};

/** Reflectors connect again within seconds (client-go, tools/cache/reflector.go: a back-off from 800 ms). */
const GAPS: readonly number[] = [100, 1_000, 3_000];
const gapOf = (ms: number): Of<'gap'> => ({ do: 'gap', ms });

export const gapInjection: Injection<'gap'> = {
  name: 'gap',
  sorts: ['see'],
  description: 'A watch breaks before an event, and lists again after a while: what lay between is never seen.',
  drawn: () => GAPS.map(gapOf),
  weaker: ({ ms }) => GAPS.filter((each) => each < ms).map(gapOf),
  says: ({ ms }) => `the watch breaks before it, and lists again ${formatDurationMs(ms)} later`,
  see(cluster, { ms }, { process, kind }) {
    breakWatches(cluster, process, new Set([kind]), ms);
    return ms;
  },
};
