/** What a process sees stands still, or has a gap: its caches are as of a revision, while its requests go on. */
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { duration, flag, integer, required, type FaultCall } from '../scenario/index.ts';
import { show } from './clients.ts';
import { shorter, SPANS, type Fault, type Injection, type Of } from './fault.ts';
import { kindsField, kindsOf, milliseconds, ofProcess, planEnd, subjectText } from './parameters.ts';

/** Keeps all watch events from a process for `forMs` (infinite: until the end): its API server lags behind. */
export function freeze(cluster: Cluster, name: string, forMs: number): void {
  const endsAt = cluster.now + forMs;
  const lift = cluster.addFaults({
    notice: { process: name, says: 'sees nothing new', until: endsAt },
    describe: () => ['freeze', name, endsAt],
    cutUntil: (process) => (process === name ? endsAt : undefined),
  });
  if (Number.isFinite(forMs)) planEnd(cluster, forMs, `${name} sees changes again`, lift);
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

export const freezeFault = ofProcess({
  name: 'freeze',
  description: 'A process or a client sees nothing new for a while, and its requests go on: what it sees is as of one revision.',
  overlap: 'It sees nothing new until the latest end; a client is shown the oldest state.',
  parameters: {
    for: duration('How long; absent: until the end.'),
    revision: integer('For a client: the revision (rv in a timeline) of the state; absent: the present one.', 1),
    staleBy: duration('For a client: the age of the state.'),
    kinds: { ...kindsField, says: 'For a client: only these kinds; absent: all.' },
    onlyCached: flag(
      'For a client: lists without a resourceVersion are up to date, as a real server answers them from etcd; absent: every list is old. A get without a resourceVersion is never old.',
    ),
  },
  apply(cluster, name, call) {
    if (cluster.runtime.process(name)?.spec.isClient === true) return freezeClient(cluster, call);
    const ofClients = ['revision', 'staleBy', 'kinds', 'onlyCached'].filter((each) => call.parameters[each] !== undefined);
    if (ofClients.length > 0)
      return {
        error: `freeze: ${ofClients.join(', ')} ${ofClients.length === 1 ? 'is' : 'are'} for a client, and ${name} is a process of the cluster`,
      };
    freeze(cluster, name, milliseconds(call, 'for') ?? Infinity);
    return { detail: `${name} sees nothing new` };
  },
});

/** Shows a client an old state, as an API server that has lost its connection to etcd: its lists are old, and its watches silent. */
function freezeClient(cluster: Cluster, call: FaultCall): ReturnType<Fault['apply']> {
  const { revision, onlyCached } = call.parameters;
  const staleBy = milliseconds(call, 'staleBy');
  const forMs = milliseconds(call, 'for');
  const { store } = cluster;
  const asked = typeof revision === 'number' ? revision : staleBy === undefined ? store.revision : store.revisionAt(cluster.now - staleBy);
  if (asked > store.revision) return { error: `freeze: revision ${asked} is not written yet: the last is ${store.revision}` };
  if (asked < store.compactedAt)
    return { error: `freeze: revision ${asked} is compacted: the oldest that is kept is ${store.compactedAt}` };
  show(cluster, call, `is shown the state of revision ${asked}`, {
    frozenAt: asked,
    heldUntil: forMs === undefined ? Infinity : cluster.now + forMs,
    ...(onlyCached === true ? { onlyCached } : {}),
  });
  return { detail: `${subjectText(call)} is shown the state of revision ${asked}` };
}

export const gapFault = ofProcess({
  name: 'gap',
  description: 'Breaks the watches of a process, which lists again after a while: it never sees what lay between.',
  overlap: 'Each lists again at its end. Delays of several faults add up until then.',
  parameters: { for: required(duration('How long.')), kinds: kindsField },
  apply(cluster, name, call) {
    breakWatches(cluster, name, kindsOf(call), milliseconds(call, 'for') ?? 0);
    return { detail: `the watches of ${name} are broken` };
  },
});

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
