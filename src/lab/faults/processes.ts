/** Faults of processes: stop, restart, relist, perhaps with stale lists; another configuration at their next start; a wrong clock. */
import { asOfField, duration, flag, required, SKEW_FOR_MS } from '../scenario/index.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { shorter, type Fault, type Injection, type Of } from './fault.ts';
import { isElected, oldRevision, planRestart } from './crash.ts';
import {
  ifPossibleField,
  impossible,
  kindsField,
  kindsOf,
  milliseconds,
  planNotice,
  processField,
  subjectText,
  ofProcess,
  planEnd,
} from './parameters.ts';
import { freeze } from './staleness.ts';
import { revisionIn } from './transitions.ts';
import type { Cluster } from '../../controlplane/cluster.ts';

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
  decide: (cluster, _, { process }) => void cluster.runtime.relist(process, undefined),
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
  decide: (cluster, { staleByMs }, { process }) => void cluster.runtime.relist(process, undefined, oldRevision(cluster, staleByMs)),
  onRequest: 'no reflector of v1.24 lists older than what it has seen',
};

export const configure = ofProcess({
  name: 'configure',
  description: 'Changes the configuration file or the flags of a process; the change applies at its next start.',
  overlap: 'The last one before the start of the process applies.',
  parameters: {
    config: { type: 'document', says: "The new AgentConfiguration; absent: unchanged. A scheduler's file is not read." },
    flags: {
      type: 'list',
      items: { type: 'string', says: 'A flag such as --max-pods=20.' },
      says: 'The new flags; absent: unchanged.',
    },
  },
  apply(cluster, name, call) {
    const { config, flags } = call.parameters;
    const how = {
      ...(typeof config === 'object' && config !== null ? { config: { ...config } } : {}),
      ...(Array.isArray(flags) ? { flags: flags.map(String) } : {}),
    };
    return cluster.configure(name, how)
      ? { detail: `${name} will start with another configuration` }
      : { error: `${name} has neither a file nor flags: agents and schedulers have` };
  },
});

/**
 * Adds `byMs` to the clock of a process (negative: behind) for `forMs`; undefined: until the end of the run. Of overlapping skews the last
 * applies; when it ends, the previous one applies again.
 */
function setWrong(cluster: Cluster, name: string, byMs: number, forMs?: number): undefined {
  const lift = cluster.runtime.addSkew(name, byMs);
  planEnd(cluster, forMs, `the clock of ${name} is right again`, lift);
}

export const skew = ofProcess({
  name: 'skew',
  description: 'Skews the clock of a process.',
  overlap: 'The last one applies; when it ends, the latest that is still active applies again.',
  parameters: { by: required(duration('How far it is ahead.')), behind: flag('Behind instead of ahead.') },
  apply(cluster, name, call) {
    const by = milliseconds(call, 'by') ?? 0;
    setWrong(cluster, name, call.parameters['behind'] === true ? -by : by);
    return { detail: `the clock of ${name} is ${by} ms ${call.parameters['behind'] === true ? 'behind' : 'ahead'}` };
  },
});

const SKEWS: readonly number[] = [2_000, 20_000, 90_000];
const skewedBy = (ms: number): Of<'skew'> => ({ do: 'skew', ms, forMs: SKEW_FOR_MS });

export const skewInjection: Injection<'skew'> = {
  name: 'skew',
  sorts: ['decide'],
  description: 'The clock of a process is wrong for a while.',
  drawn: () => SKEWS.flatMap((ms) => [skewedBy(ms), skewedBy(-ms)]),
  weaker: ({ ms }) => SKEWS.filter((each) => each < Math.abs(ms)).map((each) => skewedBy(Math.sign(ms) * each)),
  says: ({ ms, forMs }) =>
    `the clock of the process is ${formatDurationMs(Math.abs(ms))} ${ms < 0 ? 'behind' : 'ahead'} from it on, for ${formatDurationMs(forMs)}`,
  decide: (cluster, { ms, forMs }, { process }) => setWrong(cluster, process, ms, forMs),
};
