/**
 * The rules of leader election over one Lease. Nobody trusts a time somebody else wrote: a candidate counts the lease's duration from when
 * it saw the record change itself, on a clock of its own that is never set. Models: v1.24 client-go tools/leaderelection, LeaseLock.
 */
import type { Lease } from '../../../apiserver/kinds/index.ts';
import type { RulesMode } from '../../../apiserver/machinery/index.ts';
import { formatMicroTime } from '../../../schema/values/index.ts';

export interface ElectionSettings {
  /** How long candidates wait after the last change they saw. */
  readonly leaseDurationMs: number;
  /** How long a holder goes on trying to renew before it gives up. */
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
  /** Whether a holder that is stopped in good order lets go of the lease. */
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
 * Why settings cannot elect anybody; undefined: they can. Flags are held to the same bounds by the process that reads them. A lease counts
 * whole seconds, and one of 0 is refused by the server, so that nobody would ever lead.
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

/** What an elector has seen of the lease. */
export interface Seen {
  /** The record as it was, for noticing change. */
  readonly record: string;
  readonly holder: string;
  /** When it was first seen like this, on the elector's own clock. */
  readonly since: number;
}

export interface Clocks {
  /** The time the process believes it is: what it writes. Milliseconds since the epoch. */
  readonly now: number;
  /** A clock nobody sets: what it waits by. */
  readonly elapsed: number;
}

export type LeaseSpec = Lease['spec'];

/** What to do about the lease. */
export type Attempt =
  | { readonly does: 'create' | 'renew'; readonly spec: LeaseSpec }
  | { readonly does: 'acquire'; readonly spec: LeaseSpec; /** The holder before; '' when it let go. */ readonly from: string }
  | { readonly does: 'wait'; readonly holder: string; /** How long ago this elector saw the record change. */ readonly silentMs: number };

/** A record as one text, for noticing change. */
export const recordText = ({ holderIdentity, leaseDurationSeconds, acquireTime, renewTime, leaseTransitions }: LeaseSpec): string =>
  `${holderIdentity ?? ''} ${leaseDurationSeconds ?? 0} ${acquireTime ?? ''} ${renewTime ?? ''} ${leaseTransitions ?? 0}`;

/** What has been seen after a look at the lease: the same as before unless the record changed. */
export function look(seen: Seen | undefined, { spec }: Pick<Lease, 'spec'>, { elapsed }: Clocks, record = recordText(spec)): Seen {
  return seen?.record === record ? seen : { record, holder: spec.holderIdentity ?? '', since: elapsed };
}

/**
 * How long a candidate waits: as long as the record says, or as its own settings have it where the record says nothing else; v1.24's goes
 * by its own alone. Rule `lease/candidates-wait-its-duration`. A record counts whole seconds: one that says what the settings come to means
 * them.
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

/** What an elector tries, having looked. `began`: its clocks when the attempt began, before it asked for the lease. */
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

/** The record of a holder that lets go: nobody's, for one second. */
export function released({ leaseTransitions = 0 }: LeaseSpec, now: number): LeaseSpec {
  const time = formatMicroTime(now);
  return { holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time, leaseTransitions };
}

/** How long a candidate waits between tries: the retry period and up to 1.2 times more, so that candidates do not march in step. */
export const candidateWaitMs = (retryPeriodMs: number, fraction: number): number =>
  retryPeriodMs + Math.floor(fraction * 1.2 * retryPeriodMs);
