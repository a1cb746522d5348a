/**
 * The elector of a process: it is the only running controller until it holds the lease, then the process's controllers start. A holder
 * renews every retry period; one that fails to renew until the renew deadline ends its process, so that it does not act beside its
 * successor. Models: v1.24 client-go tools/leaderelection, as kube-scheduler and kube-controller-manager run it.
 */
import type { ConfigMap, Endpoints, Lease } from '../../../apiserver/kinds/index.ts';
import { type Names, rulesOf, storeKey } from '../../../apiserver/machinery/index.ts';
import { create, defineController, isOf, readLive, record as recordEvent } from '../../runtime/index.ts';
import type { Answer, Controller, Outcome, ReconcileInput, Write } from '../../runtime/index.ts';
import { drawnUuid } from '../../shared/index.ts';
import {
  bothSay,
  isOlder,
  olderKind,
  putOlder,
  candidateWaitMs,
  electionProblem,
  observeRecord,
  released,
  recordText,
  tryAcquireOrRenew,
  waitMs,
} from './locks.ts';
import type { LockKind, LockPlace, Clocks, ElectionSettings, LeaseSpec, Seen } from './locks.ts';

const LEADER_ELECTION = 'leader-election';

export interface ElectorOptions extends ElectionSettings {
  readonly component: string;
  lease(names: Names): LockPlace;
  /** The kind of lock; default: a lease alone. */
  readonly lock?: LockKind;
}

interface State {
  /** Generated at each start: a restarted process does not recognise the lease of its earlier incarnation. */
  readonly identity: string;
  stopping: boolean;
}
interface Memory {
  readonly leading: boolean;
  readonly seen: Seen | undefined;
  /** The clocks at the start of the current or last attempt. */
  readonly began: Clocks;
  /** The start of the first of consecutive failed attempts: a holder's renew deadline counts from it. */
  readonly failingSince: number | undefined;
  /** For a lock of two objects: the older one as it was read, and the record that is being written to both. */
  readonly older?: Endpoints | ConfigMap | undefined;
  readonly putting?: LeaseSpec | undefined;
}
type Input = Omit<ReconcileInput<Lease, Memory, State>, 'self'>;

/** `scheduler_838e312d-d816-4b22-999f-1c724874f7f1`: a host name and a uuid. */
const newIdentity = (process: string, hex: (digits: number) => string): string => `${process}_${drawnUuid(hex)}`;

/** The host name in an identity. */
const nameOf = (identity: string): string => identity.split('_', 1)[0] ?? identity;

const seconds = (ms: number): string => `${ms / 1000} s`;

const clocksOf = ({ now, elapsed }: Input): Clocks => ({ now, elapsed });

const readLock = (options: ElectorOptions, names: Names, kind: 'Lease' | 'Endpoints' | 'ConfigMap' = 'Lease'): Write =>
  readLive({ kind, metadata: options.lease(names) }, { tolerate: ['NotFound'] });

const keyOf = (options: ElectorOptions, names: Names): string => {
  const { namespace, name } = options.lease(names);
  return storeKey(namespace, name);
};

/** Plans the next attempt. A holder's attempts start at equal intervals, however long each takes, and end at its deadline. */
function again(
  { retryPeriodMs, renewDeadlineMs }: ElectorOptions,
  input: Input,
  memory: Memory,
  why: string,
  holderAlive = false,
): Outcome<Memory> {
  if (!memory.leading) {
    const wait = candidateWaitMs(retryPeriodMs, input.random.fraction());
    return { why, writes: [], memory, wakeAt: input.now + wait, background: holderAlive };
  }
  const failingSince = memory.failingSince ?? memory.began.elapsed;
  const next = Math.min(memory.began.elapsed + retryPeriodMs, failingSince + renewDeadlineMs);
  return { why, writes: [], memory: { ...memory, failingSince }, wakeAt: input.now + Math.max(1, next - input.elapsed) };
}

/** Writes a record into the lease, which is created if it does not exist. */
function put(options: ElectorOptions, names: Names, lease: Lease | undefined, spec: Lease['spec']): Write {
  if (lease !== undefined) return { op: 'update', object: { ...lease, spec }, resume: true };
  return create({ apiVersion: `${names.group('coordination')}/v1`, kind: 'Lease', metadata: options.lease(names), spec }, { resume: true });
}

/** Writes a record: into the lease, or first into the older object of the lock and then into the lease. */
function writing(
  options: ElectorOptions,
  { names }: Input,
  memory: Memory,
  why: string,
  lease: Lease | undefined,
  spec: LeaseSpec,
): Outcome<Memory> {
  const older = olderKind(options.lock ?? 'leases');
  if (older !== undefined) {
    const writes = [putOlder(older, options.lease(names), memory.older, spec, names)];
    return { why, writes, memory: { ...memory, older: undefined, putting: spec } };
  }
  return { why, writes: [put(options, names, lease, spec)], memory };
}

/** Decides by the lease as the server has it, or for a lock of two objects by both. */
function decide(
  options: ElectorOptions,
  input: Input,
  memory: Memory,
  lease: Lease | undefined,
  both?: ReturnType<typeof bothSay>,
): Outcome<Memory> {
  const current = both ?? lease;
  const seen = current === undefined ? undefined : observeRecord(memory.seen, current, clocksOf(input), both?.record);
  const attempt = tryAcquireOrRenew(current, seen, input.state.identity, memory.began, options, rulesOf(input));
  const next = { ...memory, seen };
  switch (attempt.does) {
    case 'wait': {
      const silence = attempt.silentMs === 0 ? '' : ` and has not been seen to renew it for ${seconds(attempt.silentMs)}`;
      // While the holder renews, this wait counts as background.
      const alive = memory.seen !== undefined && memory.seen !== seen;
      return again(options, input, next, `${nameOf(attempt.holder)} holds the lease${silence}`, alive);
    }
    case 'create':
      return writing(options, input, next, 'there is no lease yet', undefined, attempt.spec);
    case 'renew':
      return writing(options, input, next, 'renew its lease', lease, attempt.spec);
    case 'acquire': {
      const why =
        attempt.from === ''
          ? 'the last holder released the lease'
          : `${nameOf(attempt.from)} has not renewed the lease for ${seconds(waitMs(current?.spec ?? {}, options, rulesOf(input)))}`;
      return writing(options, input, next, why, lease, attempt.spec);
    }
  }
}

/** The lease was just written with this process as the holder. */
function hold(options: ElectorOptions, input: Input, memory: Memory, lease: Lease): Outcome<Memory> {
  const { retryPeriodMs, lock = 'leases' } = options;
  const text = recordText(lease.spec);
  // Both objects of the lock have the same record now.
  const record = lock === 'leases' ? text : `${recordText(memory.putting ?? {})} ${text}`;
  const { older: _older, putting: _putting, ...kept } = memory;
  const seen = observeRecord(memory.seen, lease, clocksOf(input), record);
  const next: Memory = { ...kept, seen, leading: true, failingSince: undefined };
  if (!memory.leading)
    return {
      why: 'it is the leader now',
      writes: [recordEvent(lease, 'Normal', 'LeaderElection', `${input.state.identity} became leader`)],
      memory: next,
      enqueue: [input.key],
      ...(input.state.stopping ? {} : { process: 'lead' }),
    };
  // The next renewal starts one retry period after this one started: the request's latency is part of the period.
  const tookMs = input.elapsed - memory.began.elapsed;
  const renewal = { lease: options.lease(input.names), everyMs: retryPeriodMs + tookMs, delayMs: tookMs };
  return {
    why: 'the lease was renewed: it stays the leader',
    writes: [],
    memory: next,
    wakeAt: input.now + retryPeriodMs,
    background: true,
    ...(lock === 'leases' ? { heartbeat: renewal } : {}),
  };
}
function releaseLease(options: ElectorOptions, input: Input, lease: Lease | undefined): Outcome<Memory> {
  const { state, memory } = input;
  if (lease?.spec.holderIdentity !== state.identity || memory === undefined)
    return { why: 'another candidate holds the lease now', writes: [], process: 'stop' };
  return writing(options, input, memory, 'release the lease', lease, released(lease.spec, input.now));
}

/** The next step with a lock of two objects; undefined: both are written, or the lock has only one. */
function between(options: ElectorOptions, input: Input, { write, object }: Answer): Outcome<Memory> | undefined {
  const { memory, names, state } = input;
  if (olderKind(options.lock ?? 'leases') === undefined || memory === undefined) return undefined;
  const lease = isOf('Lease', object) ? object : undefined;
  if (write.op !== 'get')
    return isOlder(object) ? { why: 'write the same record to the Lease', writes: [readLock(options, names)] } : undefined;
  if (write.kind !== 'Lease') {
    if (object === undefined && !state.stopping) return decide(options, input, memory, undefined);
    const older = isOlder(object) ? object : undefined;
    return { why: 'read the Lease of the pair', writes: [readLock(options, names)], memory: { ...memory, older } };
  }
  if (memory.putting !== undefined) return { why: 'write the Lease of the pair', writes: [put(options, names, lease, memory.putting)] };
  if (state.stopping || memory.older === undefined) return undefined;
  return decide(options, input, memory, lease, bothSay(memory.older, lease, state.identity, names));
}

/** Reads the lease, unless the deadline has passed. */
function begin(options: ElectorOptions, input: Input): Outcome<Memory> {
  const { state, memory, elapsed, names } = input;
  const first = olderKind(options.lock ?? 'leases') ?? 'Lease';
  const leading = memory?.leading === true;
  if (state.stopping)
    return leading && options.releaseOnStop
      ? { why: 'it stops: release the lease', writes: [readLock(options, names, first)] }
      : { why: 'it stops and holds no lease', writes: [], process: 'stop' };
  const failingSince = leading ? memory.failingSince : undefined;
  if (failingSince !== undefined && elapsed - failingSince >= options.renewDeadlineMs)
    return { why: `it failed to renew its lease for ${seconds(options.renewDeadlineMs)}`, writes: [], process: 'exit' };
  return {
    why: leading ? 'the retry period has passed: renew the lease' : 'read the holder of the lease',
    writes: [readLock(options, names, first)],
    memory: { leading, seen: memory?.seen, began: clocksOf(input), failingSince },
  };
}

/** The elector of a process. Throws a RangeError where the settings cannot elect a leader. */
export function elector(options: ElectorOptions): Controller {
  const problem = electionProblem(options);
  if (problem !== undefined) throw new RangeError(`${options.component}: ${problem}`);
  return uncheckedElector(options);
}

/** The same without the check: wrong settings are a bug that a search has to find. */
export function uncheckedElector(options: ElectorOptions): Controller {
  return defineController<'Lease', Memory, State>({
    name: LEADER_ELECTION,
    component: options.component,
    writes: ['Lease', 'Endpoints', 'ConfigMap'],
    models: 'v1.24 client-go tools/leaderelection with its three locks. Omits: health checks of the holder.',
    start: ({ process, random }) => ({ identity: newIdentity(process, random.hex), stopping: false }),
    startKeys: ({ names }) => [keyOf(options, names)],
    stop({ state, names }) {
      state.stopping = true;
      return [keyOf(options, names)];
    },
    reconcile: (input) => begin(options, input),
    resume(input, answer): Outcome<Memory> {
      const step = between(options, input, answer);
      if (step !== undefined) return step;
      const { write, object } = answer;
      const lease = isOf('Lease', object) ? object : undefined;
      const { memory, state } = input;
      if (write.op === 'get')
        return state.stopping || memory === undefined ? releaseLease(options, input, lease) : decide(options, input, memory, lease);
      if (lease === undefined || memory === undefined || lease.spec.holderIdentity !== state.identity)
        return { why: 'the lease is released', writes: [], process: 'stop' };
      return hold(options, input, memory, lease);
    },
    recover(input, { status }): Outcome<Memory> | undefined {
      const { memory, state } = input;
      if (state.stopping) return { why: 'it stops: the lease expires by itself', writes: [], process: 'stop' };
      return memory === undefined
        ? undefined
        : again(options, input, memory, `the lease could not be acquired: ${status.reason ?? 'an error'}`);
    },
  });
}
