/**
 * The lock of an election: a Lease, or a Lease together with an annotation on an older object, so that processes which know only that
 * object can read the holder. Models: v1.24 client-go tools/leaderelection/resourcelock (LeaseLock, MultiLock with EndpointsLock or
 * ConfigMapLock).
 */
import type { ConfigMap, Endpoints, Lease } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { isOf, type Answer, type Write } from '../../runtime/index.ts';
import { leaderAnnotation } from '../../shared/index.ts';
import { recordText, type LeaseSpec } from './rules.ts';

/** The name and namespace of the lock. */
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
  if (object === undefined)
    return {
      op: 'create',
      object: { apiVersion: 'v1', kind, metadata: { ...place, annotations: annotations(spec, names) } },
      resume: true,
    };
  const { metadata } = object;
  return {
    op: 'update',
    object: { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations(spec, names) } } },
    resume: true,
  };
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
