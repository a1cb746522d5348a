/** Crashes of a process, between two writes, before a decision, or while a request is under way; and how it comes back. */
import { duration, integer } from '../scenario/index.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import type { Cluster } from '../../controlplane/cluster.ts';
import { formatDurationMs, present } from '../../schema/values/index.ts';
import { shorter, type Fault, type Injected, type Injection, type Of } from './fault.ts';
import { ifPossibleField, impossible, milliseconds, planNotice, processField, subjectText } from './parameters.ts';
import { freeze } from './staleness.ts';

/** Returns the revision of a list that is `staleBy` milliseconds old; undefined: the newest. */
export const oldRevision = (cluster: Cluster, staleBy: number | undefined): number | undefined =>
  staleBy === undefined ? undefined : cluster.store.revisionAt(cluster.now - staleBy);

/** How a process comes back. */
interface Return {
  /** Absent: it stays down. */
  readonly afterMs: number | undefined;
  /** The revision of its lists; undefined: the newest. */
  readonly revision?: () => number | undefined;
  /** It sees nothing newer than its lists for so long. */
  readonly frozenMs?: number | undefined;
  /** What the revision depends on, plain. */
  readonly what?: unknown;
}

export function planRestart(
  cluster: Cluster,
  name: string,
  { afterMs, revision, frozenMs = 0, what }: Return,
  causes: readonly number[],
): void {
  if (afterMs === undefined) return;
  const process = cluster.runtime.process(name);
  // The restart ends this crash only, not a later one. A process that is still up is about to crash.
  const death = process === undefined ? 0 : process.incarnation + (process.up ? 1 : 0);
  cluster.plan(
    cluster.now + afterMs,
    `restart ${name}`,
    () => {
      if (cluster.runtime.process(name)?.incarnation !== death) return;
      if (frozenMs > 0) freeze(cluster, name, frozenMs);
      cluster.runtime.restart(name, cluster.now, causes, revision?.());
    },
    { frozenMs, what },
  );
}

/** Schedules the arrival of a request that was under way when its process crashed. */
function planArrival(cluster: Cluster, envelope: Envelope, afterMs: number): void {
  const { by, request } = envelope;
  const what = `${request.verb} ${request.kind} of ${by.process} arrives, which has crashed since`;
  cluster.plan(cluster.now + afterMs, what, () => void cluster.send(envelope), envelope);
}

/** Whether a process leads because it holds a lease. */
export const isElected = (cluster: Cluster, name: string): boolean => {
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
    arrivesAfter: duration('With beforeWrite: that write is under way, and arrives this long after the crash.'),
    ifPossible: ifPossibleField,
  },
  apply(cluster, call, causes) {
    const name = subjectText(call);
    const restartAfter = milliseconds(call, 'restartAfter');
    const { afterWrites, beforeWrite } = call.parameters;
    const left = afterWrites ?? beforeWrite;
    const arrivesAfter = beforeWrite === undefined ? undefined : milliseconds(call, 'arrivesAfter');
    const when = afterWrites === undefined ? 'before' : 'after';
    if (typeof left !== 'number') {
      if (isElected(cluster, name)) planNotice(cluster, name);
      if (!cluster.runtime.crash(name, causes)) return impossible(cluster, call, name);
      planRestart(cluster, name, { afterMs: restartAfter }, causes);
      return { detail: `${name} crashed` };
    }
    if (cluster.runtime.process(name)?.up !== true) return impossible(cluster, call, name);
    const seen = { writes: 0 };
    const isClient = cluster.runtime.process(name)?.spec.isClient === true;
    const lift = cluster.addFaults({
      describe: () => ['crash', name, left - seen.writes, restartAfter, ...(when === 'after' ? [] : [when])],
      request(envelope) {
        const { by, request } = envelope;
        if (by.process !== name || (isClient && !isCounted(request)) || ++seen.writes < left) return undefined;
        lift();
        if (arrivesAfter !== undefined) planArrival(cluster, envelope, arrivesAfter);
        planRestart(cluster, name, { afterMs: restartAfter }, causes);
        return { crash: when };
      },
    });
    return { detail: `${name} will crash right ${when} write ${left} from here` };
  },
};

type Crash = Of<'crash'>;

const AWAY: readonly number[] = [1, 100, 1_000, 5_000, 20_000];
const STALE: readonly (number | undefined)[] = [undefined, undefined, 1_000, 5_000, 20_000];
const ARRIVES: readonly number[] = [100, 2_000];
/** How long a process sees nothing newer than its first lists. */
const FROZEN: readonly number[] = [0, 5_000];

/** First lists: of each age or, where names are known, as of just before each thing that happened. */
const firstLists = (transitions: readonly string[]): readonly Pick<Crash, 'staleByMs' | 'asOf' | 'frozenMs'>[] =>
  transitions.length === 0
    ? STALE.map((staleByMs) => present({ staleByMs }))
    : [{}, {}, ...transitions.flatMap((name) => FROZEN.map((ms) => ({ asOf: `before ${name}`, ...(ms === 0 ? {} : { frozenMs: ms }) })))];

/** Schedules the restart of a process that is about to crash, and gives standbys the time to detect the crash. */
function planDeath(cluster: Cluster, { restartAfterMs, staleByMs, asOf, frozenMs }: Crash, { process, revision }: Injected): void {
  if (isElected(cluster, process)) planNotice(cluster, process);
  const first = (): number | undefined => (asOf === undefined ? oldRevision(cluster, staleByMs) : revision(asOf));
  planRestart(cluster, process, { afterMs: restartAfterMs, revision: first, frozenMs, what: asOf ?? staleByMs }, []);
}

function firstListsText({ staleByMs, asOf, frozenMs }: Crash): string {
  const since = frozenMs === undefined ? '' : `, and sees nothing newer for ${formatDurationMs(frozenMs)}`;
  if (asOf !== undefined) return `, with lists as of just ${asOf}${since}`;
  return staleByMs === undefined ? '' : `, with lists that are ${formatDurationMs(staleByMs)} old`;
}

function momentText(crash: Crash): string {
  if (crash.when === 'during') return `while it is under way: it arrives ${formatDurationMs(crash.arrivesAfterMs)} later`;
  return crash.when === 'before' ? 'before it' : 'right after it';
}

/** Crashes with newer first lists, the newest first. */
function withNewerLists({ staleByMs, asOf, frozenMs, ...rest }: Crash): readonly Crash[] {
  if (asOf !== undefined) return [rest, ...(frozenMs === undefined ? [] : [{ ...rest, asOf }])];
  if (staleByMs === undefined) return [];
  return [rest, ...shorter(staleByMs).flatMap((ms) => (ms >= 1_000 ? [{ ...rest, staleByMs: ms }] : []))];
}

function withEarlierArrival(crash: Crash): readonly Crash[] {
  if (crash.when !== 'during') return [];
  const { arrivesAfterMs } = crash;
  return ARRIVES.filter((ms) => ms < arrivesAfterMs).map((ms) => ({ ...crash, arrivesAfterMs: ms }));
}

export const crashInjection: Injection<'crash'> = {
  name: 'crash',
  sorts: ['decide', 'write'],
  description: 'A process crashes, before, during or after a write, and restarts; its first lists may be as of any revision.',
  drawn: (sort, transitions = []) => {
    const moments = [
      { when: 'before' } as const,
      ...(sort === 'write' ? [{ when: 'after' } as const, ...ARRIVES.map((ms) => ({ when: 'during', arrivesAfterMs: ms }) as const)] : []),
    ];
    const lists = firstLists(transitions);
    return moments.flatMap((moment) =>
      AWAY.flatMap((restartAfterMs) => lists.map((first): Crash => ({ do: 'crash', ...moment, restartAfterMs, ...first }))),
    );
  },
  weaker: (crash) => [
    ...withNewerLists(crash),
    ...AWAY.filter((away) => away < crash.restartAfterMs).map((restartAfterMs): Crash => ({ ...crash, restartAfterMs })),
    ...withEarlierArrival(crash),
  ],
  says: (crash) =>
    `the process dies ${momentText(crash)}${crash.when === 'during' ? '; it' : ' and'} is back ${formatDurationMs(crash.restartAfterMs)} later${firstListsText(crash)}`,
  decide(cluster, injectedFault, at) {
    planDeath(cluster, injectedFault, at);
    return { crash: true };
  },
  write(cluster, injectedFault, { envelope, ...at }) {
    planDeath(cluster, injectedFault, at);
    if (injectedFault.when !== 'during') return { crash: injectedFault.when };
    planArrival(cluster, envelope, injectedFault.arrivesAfterMs);
    return { crash: 'before' };
  },
};
