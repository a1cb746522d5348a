/** Faults of processes: crash, stop, restart and relist, perhaps with stale lists. */
import { duration, integer } from '../scenario/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs } from '../../schema/values/index.ts';
import { shorter, type Fault, type Injection, type Of } from './fault.ts';
import { ifPossibleField, impossible, kindsField, kindsOf, milliseconds, planNotice, processField, subjectText } from './parameters.ts';

/** Returns the revision of a list that is `staleBy` milliseconds old; undefined: the newest. */
const oldRevision = (cluster: Cluster, staleBy: number | undefined): number | undefined =>
  staleBy === undefined ? undefined : cluster.store.revisionAt(cluster.now - staleBy);

/** Schedules the restart of a process, with lists that are `staleByMs` old; `afterMs` undefined: it stays down. */
function planRestart(cluster: Cluster, name: string, afterMs: number | undefined, causes: readonly number[], staleByMs?: number): void {
  if (afterMs === undefined) return;
  const process = cluster.runtime.process(name);
  // The restart ends this crash only, not a later one. A process that is still up is about to crash.
  const death = process === undefined ? 0 : process.incarnation + (process.up ? 1 : 0);
  cluster.plan(
    cluster.now + afterMs,
    `restart ${name}`,
    () => {
      if (cluster.runtime.process(name)?.incarnation !== death) return;
      cluster.runtime.restart(name, cluster.now, causes, oldRevision(cluster, staleByMs));
    },
    { staleByMs },
  );
}

/** Whether a process leads because it holds a lease. */
const isElected = (cluster: Cluster, name: string): boolean => {
  const process = cluster.runtime.process(name);
  return process?.leading === true && process.spec.elector !== undefined;
};

/** The writes of a client that count: its leases and Events are written by a clock of its own. */
const isCounted = ({ verb, kind }: { readonly verb: string; readonly kind: string }): boolean =>
  !['get', 'list', 'watch'].includes(verb) && kind !== 'Lease' && kind !== 'Event';

/** Crashes a process at once, or right after one of its next writes. */
export const crash: Fault = {
  name: 'crash',
  description: 'Kills a process: its caches, queues and memory are lost; its writes stay.',
  overlap: 'A process that is down does not crash again. A scheduled restart ends its own crash, and no later one.',
  subject: processField,
  parameters: {
    restartAfter: duration('Restart after this long; absent: it stays down.'),
    afterWrites: integer('Crash right after so many more writes of its controllers, instead of now.', 1),
    beforeWrite: integer('Crash right before the n-th write from now.', 1),
    ifPossible: ifPossibleField,
  },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    const restartAfter = milliseconds(call, 'restartAfter');
    const { afterWrites, beforeWrite } = call.parameters;
    const left = afterWrites ?? beforeWrite;
    const when = afterWrites === undefined ? 'before' : 'after';
    if (typeof left !== 'number') {
      if (isElected(cluster, name)) planNotice(cluster, name);
      if (!cluster.runtime.crash(name, causes)) return impossible(cluster, call, name);
      planRestart(cluster, name, restartAfter, causes);
      return { detail: `${name} crashed` };
    }
    if (cluster.runtime.process(name)?.up !== true) return impossible(cluster, call, name);
    let writes = 0;
    const isClient = cluster.runtime.process(name)?.spec.isClient === true;
    const lift = cluster.addFaults({
      describe: () => ['crash', name, left - writes, restartAfter, ...(when === 'after' ? [] : [when])],
      request({ by, request }) {
        if (by.process !== name || (isClient && !isCounted(request)) || ++writes < left) return undefined;
        lift();
        planRestart(cluster, name, restartAfter, causes);
        return { crash: when };
      },
    });
    return { detail: `${name} will crash right ${when} write ${left} from here` };
  },
};

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
    planRestart(cluster, name, milliseconds(call, 'restartAfter'), causes);
    return { detail: `${name} is told to stop` };
  },
};

export const restart: Fault = {
  name: 'restart',
  description: 'Starts a process that is down; with staleBy its first lists are that old, as from a lagging API server.',
  overlap: 'It starts a process that is down; restarts scheduled earlier then have no effect.',
  subject: processField,
  parameters: { staleBy: duration('Age of the lists.'), ifPossible: ifPossibleField },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    if (!cluster.runtime.restart(name, cluster.now, causes, oldRevision(cluster, milliseconds(call, 'staleBy'))))
      return impossible(cluster, call, name);
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

const AWAY: readonly number[] = [1, 100, 1_000, 5_000, 20_000];
const STALE: readonly (number | undefined)[] = [undefined, undefined, 1_000, 5_000, 20_000];

const crashed = (when: Of<'crash'>['when'], restartAfterMs: number, staleByMs: number | undefined): Of<'crash'> => ({
  do: 'crash',
  when,
  restartAfterMs,
  ...(staleByMs === undefined ? {} : { staleByMs }),
});

/** Schedules the restart of a process that is about to crash, and gives standbys the time to detect the crash. */
function planDeath(cluster: Cluster, { restartAfterMs, staleByMs }: Of<'crash'>, process: string): void {
  if (isElected(cluster, process)) planNotice(cluster, process);
  planRestart(cluster, process, restartAfterMs, [], staleByMs);
}

export const crashInjection: Injection<'crash'> = {
  name: 'crash',
  sorts: ['decide', 'write'],
  description: 'A process crashes, before or after a write, and restarts; its first lists may be old.',
  drawn: (sort) =>
    (sort === 'write' ? (['before', 'after'] as const) : (['before'] as const)).flatMap((when) =>
      AWAY.flatMap((away) => STALE.map((stale) => crashed(when, away, stale))),
    ),
  weaker: ({ when, restartAfterMs, staleByMs }) => [
    ...(staleByMs === undefined ? [] : [undefined, ...shorter(staleByMs).filter((ms) => ms >= 1_000)]).map((stale) =>
      crashed(when, restartAfterMs, stale),
    ),
    ...AWAY.filter((away) => away < restartAfterMs).map((away) => crashed(when, away, staleByMs)),
  ],
  says: ({ when, restartAfterMs, staleByMs }) =>
    `the process dies ${when === 'before' ? 'before' : 'right after'} it and is back ${formatDurationMs(restartAfterMs)} later${staleByMs === undefined ? '' : `, with lists that are ${formatDurationMs(staleByMs)} old`}`,
  decide(cluster, injectedFault, process) {
    planDeath(cluster, injectedFault, process);
    return { crash: true };
  },
  write(cluster, injectedFault, process) {
    planDeath(cluster, injectedFault, process);
    return { crash: injectedFault.when };
  },
};

const relisted = (staleByMs?: number): Of<'relist'> => ({ do: 'relist', ...(staleByMs === undefined ? {} : { staleByMs }) });

export const relistInjection: Injection<'relist'> = {
  name: 'relist',
  sorts: ['decide'],
  description: 'A process relists all kinds that it watches; the lists may be old.',
  drawn: () => [relisted(), ...[1_000, 5_000, 20_000].map(relisted)],
  weaker: ({ staleByMs }) =>
    staleByMs === undefined ? [] : [relisted(), ...shorter(staleByMs).flatMap((ms) => (ms >= 1_000 ? [relisted(ms)] : []))],
  says: ({ staleByMs }) =>
    `the process lists all it watches again before it${staleByMs === undefined ? '' : `, as it was ${formatDurationMs(staleByMs)} ago`}`,
  decide(cluster, { staleByMs }, process) {
    cluster.runtime.relist(process, undefined, oldRevision(cluster, staleByMs));
    return undefined;
  },
};
