/**
 * The lock of an election: a Lease, or a Lease together with an annotation on an older object, so that processes which know only that
 * object can read the holder. Models: v1.24 client-go tools/leaderelection/resourcelock (LeaseLock, MultiLock with EndpointsLock or
 * ConfigMapLock).
 */
import type { ConfigMap, Endpoints, Lease } from '../../../apiserver/kinds/index.ts';
import type { Names, RulesMode } from '../../../apiserver/machinery/index.ts';
import { create, isOf, type Answer, type Write } from '../../runtime/index.ts';
import { leaderAnnotation } from '../../shared/index.ts';
import { formatMicroTime } from '../../../schema/values/index.ts';

export interface LockPlace {
  readonly namespace: string;
  readonly name: string;
}

/** The kind of lock: `leases`, or a lease beside an older object. */
export type LockKind = 'leases' | 'endpointsleases' | 'configmapsleases';
export const LOCK_KINDS: readonly LockKind[] = ['leases', 'endpointsleases', 'configmapsleases'];

type OlderObject = Endpoints | ConfigMap;

/** The older object of a kind of lock, whose annotation is written first. */
const OLDER = { endpointsleases: 'Endpoints', configmapsleases: 'ConfigMap' } as const;
export const olderKind = (kind: LockKind): 'Endpoints' | 'ConfigMap' | undefined => (kind === 'leases' ? undefined : OLDER[kind]);

export const isOlder = (object: Answer['object']): object is OlderObject => isOf('Endpoints', object) || isOf('ConfigMap', object);

/** The record in the annotation, with its names for the fields of a Lease. */
interface AnnotatedRecord {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string | null;
  readonly renewTime: string | null;
  readonly leaderTransitions: number;
}

/** Times in the annotation have whole seconds, those of a Lease six digits. */
const wholeSeconds = (time: string | undefined): string | null => (time === undefined ? null : time.replace(/\.\d+Z$/, 'Z'));
const withDigits = (time: string): string => time.replace(/(:\d\d)Z$/, '$1.000000Z');

/** The record in the annotation; without an annotation, or with an invalid one, it is empty. */
function annotatedSpec(object: OlderObject, names: Names): LeaseSpec {
  const text = object.metadata.annotations?.[leaderAnnotation(names)];
  let read: unknown;
  try {
    read = text === undefined ? undefined : JSON.parse(text);
  } catch {
    read = undefined;
  }
  if (typeof read !== 'object' || read === null) return {};
  const { holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaderTransitions } = read as Partial<AnnotatedRecord>;
  return {
    ...(typeof holderIdentity === 'string' ? { holderIdentity } : {}),
    ...(typeof leaseDurationSeconds === 'number' ? { leaseDurationSeconds } : {}),
    ...(typeof acquireTime === 'string' ? { acquireTime: withDigits(acquireTime) } : {}),
    ...(typeof renewTime === 'string' ? { renewTime: withDigits(renewTime) } : {}),
    ...(typeof leaderTransitions === 'number' ? { leaseTransitions: leaderTransitions } : {}),
  };
}

function annotations(spec: LeaseSpec, names: Names): Readonly<Record<string, string>> {
  const record: AnnotatedRecord = {
    holderIdentity: spec.holderIdentity ?? '',
    leaseDurationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: wholeSeconds(spec.acquireTime),
    renewTime: wholeSeconds(spec.renewTime),
    leaderTransitions: spec.leaseTransitions ?? 0,
  };
  return { [leaderAnnotation(names)]: JSON.stringify(record) };
}

/** Writes a record into the older object; creates the object if it does not exist. */
export function putOlder(
  kind: 'Endpoints' | 'ConfigMap',
  place: LockPlace,
  object: OlderObject | undefined,
  spec: LeaseSpec,
  names: Names,
): Write {
  const record = annotations(spec, names);
  if (object === undefined) return create({ apiVersion: 'v1', kind, metadata: { ...place, annotations: record } }, { resume: true });
  const metadata = { ...object.metadata, annotations: { ...object.metadata.annotations, ...record } };
  return { op: 'update', object: { ...object, metadata }, resume: true };
}

/** The holder of a lock whose two objects disagree is unknown: only the time without renewals counts. */
const unknownHolder = (names: Names): string => `${names.group('leaderelection')}/unknown`;

/** The combined record of both objects, and a text that changes when either does. */
export function bothSay(
  object: OlderObject,
  lease: Lease | undefined,
  identity: string,
  names: Names,
): { readonly spec: LeaseSpec; readonly record: string } | undefined {
  const spec = annotatedSpec(object, names);
  // The holder knows only the older object; without the lease this process does not hold its own lock.
  if (lease === undefined) return spec.holderIdentity === identity ? undefined : { spec, record: recordText(spec) };
  const same = spec.holderIdentity === lease.spec.holderIdentity;
  return {
    spec: same ? spec : { ...spec, holderIdentity: unknownHolder(names) },
    record: `${recordText(spec)} ${recordText(lease.spec)}`,
  };
}

/**
 * The rules of leader election with one Lease. No process trusts times that another process wrote: a candidate counts the lease's duration
 * from its own observation of the last change, on its monotonic clock. Models: v1.24 client-go tools/leaderelection, LeaseLock.
 */
export interface ElectionSettings {
  /** How long candidates wait after the last change that they observed. */
  readonly leaseDurationMs: number;
  /** How long a holder tries to renew before it gives up. */
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** Whether a holder that stops gracefully releases the lease. */
  readonly releaseOnStop: boolean;
}

/** Upstream's defaults of the control plane's processes. */
export const DEFAULT_ELECTION: ElectionSettings = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
  releaseOnStop: true,
};

/**
 * Why the settings cannot elect a leader; undefined: they can. The process that reads flags checks the same bounds. A lease has whole
 * seconds, and the server refuses 0, so that there would never be a leader.
 */
export function electionProblem({ leaseDurationMs, renewDeadlineMs, retryPeriodMs }: ElectionSettings): string | undefined {
  if (!(leaseDurationMs >= 1000)) return `leaseDurationMs: expected at least 1000, found ${leaseDurationMs}: a lease counts whole seconds`;
  if (!(renewDeadlineMs <= leaseDurationMs))
    return `renewDeadlineMs: expected at most leaseDurationMs (${leaseDurationMs}), found ${renewDeadlineMs}`;
  if (!(retryPeriodMs > 0)) return `retryPeriodMs: expected more than 0, found ${retryPeriodMs}`;
  if (!(renewDeadlineMs > 1.2 * retryPeriodMs))
    return `renewDeadlineMs: expected more than 1.2 × retryPeriodMs (${retryPeriodMs}), which an attempt may wait, found ${renewDeadlineMs}`;
  return undefined;
}

export interface Seen {
  /** The record as one text, to detect changes. */
  readonly record: string;
  readonly holder: string;
  /** When this record was first observed, on the elector's monotonic clock. */
  readonly since: number;
}

export interface Clocks {
  /** The process's wall clock, for times that it writes. Milliseconds since the epoch. */
  readonly now: number;
  /** A monotonic clock, for waits. */
  readonly elapsed: number;
}

export type LeaseSpec = Lease['spec'];

type Attempt =
  | { readonly does: 'create' | 'renew'; readonly spec: LeaseSpec }
  | { readonly does: 'acquire'; readonly spec: LeaseSpec; /** The previous holder; '' when it released the lease. */ readonly from: string }
  | { readonly does: 'wait'; readonly holder: string; /** Milliseconds since the last observed change. */ readonly silentMs: number };

/** A record as one text, to detect changes. */
export const recordText = ({ holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions }: LeaseSpec): string =>
  `${holderIdentity ?? ''} ${leaseDurationSeconds ?? 0} ${acquireTime ?? ''} ${renewTime ?? ''} ${leaseTransitions ?? 0}`;

/** The observation after the lease was read: the same as before unless the record changed. */
export function observeRecord(seen: Seen | undefined, { spec }: Pick<Lease, 'spec'>, { elapsed }: Clocks, record = recordText(spec)): Seen {
  return seen?.record === record ? seen : { record, holder: spec.holderIdentity ?? '', since: elapsed };
}

/**
 * How long a candidate waits: the duration in the record, or its own setting where the record has none; v1.24 uses only the setting. Rule
 * `lease/candidates-wait-its-duration`. A record has whole seconds: if it equals the setting in whole seconds, the setting counts.
 */
export function waitMs(
  { leaseDurationSeconds }: LeaseSpec,
  { leaseDurationMs }: Pick<ElectionSettings, 'leaseDurationMs'>,
  mode: RulesMode,
): number {
  const own = Math.floor(leaseDurationMs / 1000);
  return mode === 'recorded' || leaseDurationSeconds === undefined || leaseDurationSeconds === own
    ? leaseDurationMs
    : leaseDurationSeconds * 1000;
}

/** The next step, with the lease known. `began`: the clocks at the start of the attempt, before the lease was read. */
export function tryAcquireOrRenew(
  lease: Pick<Lease, 'spec'> | undefined,
  seen: Seen | undefined,
  identity: string,
  began: Clocks,
  settings: Pick<ElectionSettings, 'leaseDurationMs'>,
  mode: RulesMode = 'recorded',
): Attempt {
  const time = formatMicroTime(began.now);
  const mine = {
    holderIdentity: identity,
    leaseDurationSeconds: Math.floor(settings.leaseDurationMs / 1000),
    acquireTime: time,
    renewTime: time,
  };
  if (lease === undefined || seen === undefined) return { does: 'create', spec: { ...mine, leaseTransitions: 0 } };
  const { acquireTime = time, leaseTransitions = 0 } = lease.spec;
  if (seen.holder === identity) return { does: 'renew', spec: { ...mine, acquireTime, leaseTransitions } };
  const silentMs = began.elapsed - seen.since;
  if (seen.holder !== '' && silentMs < waitMs(lease.spec, settings, mode))
    return { does: 'wait', holder: seen.holder, silentMs: Math.max(0, silentMs) };
  return { does: 'acquire', spec: { ...mine, leaseTransitions: leaseTransitions + 1 }, from: seen.holder };
}

/** The record of a holder that releases the lease: without a holder, for one second. */
export function released({ leaseTransitions = 0 }: LeaseSpec, now: number): LeaseSpec {
  const time = formatMicroTime(now);
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time, leaseTransitions };
}

/** How long a candidate waits between attempts: the retry period and up to 1.2 times more, so that candidates do not stay synchronized. */
export const candidateWaitMs = (retryPeriodMs: number, fraction: number): number =>
  retryPeriodMs + Math.floor(fraction * 1.2 * retryPeriodMs);
