/**
 * What an election is about: a Lease, or one together with the annotation of an older object, so that processes which know only that object
 * still see who leads. Models: v1.24 client-go tools/leaderelection/resourcelock (LeaseLock, MultiLock with EndpointsLock or
 * ConfigMapLock).
 */
import type { ConfigMap, Endpoints, Lease } from '../../../apiserver/kinds/index.ts';
import type { Names } from '../../../apiserver/machinery/index.ts';
import { isOf, type Answer, type Write } from '../../runtime/index.ts';
import { leaderAnnotation } from '../../shared/index.ts';
import { recordText, type LeaseSpec } from './rules.ts';

/** Where the lock is. */
export interface LockPlace {
  readonly namespace: string;
  readonly name: string;
}

/** What is locked: `leases`, or a lease beside an older object. */
export type LockKind = 'leases' | 'endpointsleases' | 'configmapsleases';
export const LOCK_KINDS: readonly LockKind[] = ['leases', 'endpointsleases', 'configmapsleases'];

type OlderObject = Endpoints | ConfigMap;

/** The older object of a kind of lock, whose annotation comes first. */
const OLDER = { endpointsleases: 'Endpoints', configmapsleases: 'ConfigMap' } as const;
export const olderKind = (kind: LockKind): 'Endpoints' | 'ConfigMap' | undefined => (kind === 'leases' ? undefined : OLDER[kind]);

export const isOlder = (object: Answer['object']): object is OlderObject => isOf('Endpoints', object) || isOf('ConfigMap', object);

/** Its record, under the names that the annotation has for what a Lease says. */
interface AnnotatedRecord {
  readonly holderIdentity: string;
  readonly leaseDurationSeconds: number;
  readonly acquireTime: string | null;
  readonly renewTime: string | null;
  readonly leaderTransitions: number;
}

/** The annotation has times without their fractions, a Lease has all six digits. */
const wholeSeconds = (time: string | undefined): string | null => (time === undefined ? null : time.replace(/\.\d+Z$/, 'Z'));
const withDigits = (time: string): string => time.replace(/(:\d\d)Z$/, '$1.000000Z');

/** What the annotation says; an object without one, or with another text, says nothing. */
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

/** Writes a record into the older object, which is created where there is none. */
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

/** Nobody is known to hold a lock whose two objects do not agree: then only its silence counts. */
const unknownHolder = (names: Names): string => `${names.group('leaderelection')}/unknown`;

/** What both objects say together, and a text that changes when either does. */
export function bothSay(
  object: OlderObject,
  lease: Lease | undefined,
  identity: string,
  names: Names,
): { readonly spec: LeaseSpec; readonly record: string } | undefined {
  const spec = annotatedSpec(object, names);
  // A process that knows only the older object holds it; without the lease beside, its own lock is not whole.
  if (lease === undefined) return spec.holderIdentity === identity ? undefined : { spec, record: recordText(spec) };
  const same = spec.holderIdentity === lease.spec.holderIdentity;
  return {
    spec: same ? spec : { ...spec, holderIdentity: unknownHolder(names) },
    record: `${recordText(spec)} ${recordText(lease.spec)}`,
  };
}
