/** Faults of processes: stop, restart and relist, perhaps with stale lists. */
import { asOfField, duration } from '../scenario/index.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { shorter, type Fault, type Injection, type Of } from './fault.ts';
import { isElected, oldRevision, planRestart } from './crash.ts';
import { ifPossibleField, impossible, kindsField, kindsOf, milliseconds, planNotice, processField, subjectText } from './parameters.ts';
import { freeze } from './staleness.ts';
import { revisionIn } from './transitions.ts';

/** Stops a process with SIGTERM semantics, as a rolling update of its Deployment does. */
export const stop: Fault = {
  name: 'stop',
  description: 'Stops a process gracefully: a leading scheduler releases its lease first.',
  overlap: 'As with crash.',
  subject: processField,
  parameters: { restartAfter: duration('Restart after this long; absent: it stays down.'), ifPossible: ifPossibleField },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    if (isElected(cluster, name)) planNotice(cluster, name);
    if (!cluster.runtime.stop(name, causes)) return impossible(cluster, call, name);
    planRestart(cluster, name, { afterMs: milliseconds(call, 'restartAfter') }, causes);
    return { detail: `${name} is told to stop` };
  },
};

export const restart: Fault = {
  name: 'restart',
  description: 'Starts a process that is down; its first lists may be old, as from a lagging API server.',
  overlap: 'It starts a process that is down; restarts scheduled earlier then have no effect.',
  subject: processField,
  parameters: {
    staleBy: duration('Age of the lists.'),
    asOf: asOfField('The lists are as of just before or after something that happened to an object.'),
    frozen: duration('It sees nothing newer than its lists for so long.'),
    ifPossible: ifPossibleField,
  },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    const { asOf } = call.parameters;
    const revision = typeof asOf === 'string' ? revisionIn(cluster.store, asOf) : oldRevision(cluster, milliseconds(call, 'staleBy'));
    if (typeof revision === 'object') return revision;
    if (!cluster.runtime.restart(name, cluster.now, causes, revision)) return impossible(cluster, call, name);
    const frozenMs = milliseconds(call, 'frozen') ?? 0;
    if (frozenMs > 0) freeze(cluster, name, frozenMs);
    return { detail: `${name} starts again` };
  },
};

export const relist: Fault = {
  name: 'relist',
  description: 'Makes a process relist, as after a broken watch; with staleBy its caches go back in time, and then catch up.',
  overlap: 'Each relists; the last list applies.',
  subject: processField,
  parameters: { staleBy: duration('Age of the lists.'), kinds: kindsField, ifPossible: ifPossibleField },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    const revision = oldRevision(cluster, milliseconds(call, 'staleBy'));
    const kinds = kindsOf(call);
    const done =
      kinds === undefined
        ? cluster.runtime.relist(name, undefined, revision, causes)
        : [...kinds].every((kind) => cluster.runtime.relist(name, kind, revision, causes));
    return done
      ? { detail: `${name} lists again${revision === undefined ? '' : ` as of revision ${revision}`}` }
      : impossible(cluster, call, name);
  },
};

export const relistInjection: Injection<'relist'> = {
  name: 'relist',
  sorts: ['decide'],
  description: 'A process relists all kinds that it watches.',
  drawn: () => [{ do: 'relist' }],
  weaker: () => [],
  says: () => 'the process lists all it watches again before it',
  decide(cluster, _, { process }) {
    cluster.runtime.relist(process, undefined);
    return undefined;
  },
};

const STALE: readonly number[] = [1_000, 5_000, 20_000];
const relistedAsOf = (staleByMs: number): Of<'old-relist'> => ({ do: 'old-relist', staleByMs });

/** Reflectors ask for a list that is not older than what they have seen (client-go, tools/cache/reflector.go, relistResourceVersion). */
export const oldRelistInjection: Injection<'old-relist'> = {
  name: 'old-relist',
  sorts: ['decide'],
  description: 'A process relists, and the lists are older than what it has seen: harsher than v1.24.',
  drawn: () => STALE.map(relistedAsOf),
  weaker: ({ staleByMs }) => shorter(staleByMs).flatMap((ms) => (ms >= 1_000 ? [relistedAsOf(ms)] : [])),
  says: ({ staleByMs }) => `the process lists all it watches again before it, as it was ${formatDurationMs(staleByMs)} ago`,
  decide(cluster, { staleByMs }, { process }) {
    cluster.runtime.relist(process, undefined, oldRevision(cluster, staleByMs));
    return undefined;
  },
  onRequest: 'no reflector of v1.24 lists older than what it has seen',
};
