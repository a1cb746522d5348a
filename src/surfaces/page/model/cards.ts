/** What a card of the ledger says of an object: slots, ordinals, time left, a note, and conditions that are true. */
import type {
  CronJob,
  DaemonSet,
  EndpointSlice,
  Job,
  Lease,
  PersistentVolumeClaim,
  Service,
  StatefulSet,
} from '../../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../../apiserver/vocabulary/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import { phaseOf, type Phase } from './phase.ts';
import { duration, many } from './words.ts';
import type { Held, PageWorld } from './world.ts';

export interface Slot {
  readonly is: 'open' | 'active' | 'done' | 'failed' | Phase;
  /** An ordinal. */
  readonly label?: string;
  /** Of the template that it was made from. */
  readonly revision?: string;
}

export interface Card {
  readonly held: Held;
  readonly slots?: readonly Slot[];
  /** Time left of a lease: 0 to 1. */
  readonly left?: number;
  /** A line in letters of one width: a schedule, a phase. */
  readonly code?: string;
  readonly note: string;
  readonly conditions: readonly { readonly type: string; readonly bad: boolean }[];
  readonly leaving: boolean;
}

/** Kinds that have a card, in the order of the ledger. */
const CARD_KINDS = ['Lease', 'CronJob', 'Job', 'StatefulSet', 'DaemonSet', 'Service', 'PersistentVolumeClaim'] as const;
/** Cards that there is room for. */
export const MOST_CARDS = 12;
const MOST_SLOTS = 48;
const MOST_FAILURES = 12;
const BAD = new Set(['Failed', 'FailureTarget']);

/** Whether an object has a card: a node's lease and the API's own service have none. */
export function hasCard({ kind, metadata: { name, namespace = '' } }: ApiObject): boolean {
  if (kind === 'Lease') return !namespace.endsWith('node-lease');
  if (kind === 'Service') return !(name === 'kubernetes' || name === 'orchestrator' || namespace.endsWith('-system'));
  return CARD_KINDS.some((known) => known === kind);
}

/** The cards at the world's step; of too many Jobs the latest. */
export function cardsOf(world: PageWorld): { readonly cards: readonly Card[]; readonly left: number } {
  const held = CARD_KINDS.flatMap((kind) => world.list(kind)).filter(({ object }) => hasCard(object));
  const spare = Math.max(0, held.length - MOST_CARDS);
  const dropped = new Set(held.filter(({ kind }) => kind === 'Job').slice(0, spare));
  const shown = held.filter((each) => !dropped.has(each)).slice(0, MOST_CARDS);
  return { cards: shown.map((each) => cardOf(each, world)), left: held.length - shown.length };
}

/** The card of an object as it stands. */
export function cardOf(held: Held, world: PageWorld): Card {
  const object = world.standing(held);
  return {
    held,
    ...saying(object, world),
    conditions: conditionsOf(object),
    leaving: object.metadata.deletionTimestamp !== undefined,
  };
}

type Saying = Pick<Card, 'slots' | 'left' | 'code' | 'note'>;

function saying(object: ApiObject, world: PageWorld): Saying {
  if (isOf('Job', object)) return job(object);
  if (isOf('StatefulSet', object)) return statefulSet(object, world);
  if (isOf('DaemonSet', object)) return daemonSet(object);
  if (isOf('Lease', object)) return lease(object, world.at);
  if (isOf('CronJob', object)) return cronJob(object);
  if (isOf('PersistentVolumeClaim', object)) return claim(object, world);
  if (isOf('Service', object)) return service(object, world);
  return { note: '' };
}

function job({ spec, status }: Job): Saying {
  const { succeeded = 0, active = 0, failed = 0 } = status;
  const want = spec.completions ?? spec.parallelism ?? 1;
  const shown = Math.min(want, MOST_SLOTS);
  const part = (count: number): number => (want === 0 ? 0 : Math.round((count * shown) / want));
  const slots: Slot[] = Array.from({ length: shown }, (_, at) => ({
    is: at < part(succeeded) ? 'done' : at < part(succeeded + active) ? 'active' : 'open',
  }));
  for (let at = 0; at < Math.min(failed, MOST_FAILURES); at++) slots.push({ is: 'failed' });
  const bad = failed === 0 ? '' : ` · ${failed} failed`;
  return { slots, note: `${succeeded} of ${want} done · ${active} active${bad}${spec.suspend ? ' · suspended' : ''}` };
}

function statefulSet({ metadata, spec, status }: StatefulSet, world: PageWorld): Saying {
  const want = spec.replicas ?? 1;
  const first = Math.min(want, MOST_SLOTS);
  const slots = Array.from({ length: first }, (_, ordinal): Slot => {
    const pod = world.find('Pod', `${metadata.namespace ?? 'default'}/${metadata.name}-${ordinal}`)?.object;
    const label = String(ordinal);
    if (pod === undefined) return { is: 'open', label };
    return { is: phaseOf(pod), label, revision: revisionOf(pod) };
  });
  const { readyReplicas = 0, updatedReplicas = 0, currentRevision, updateRevision } = status;
  const rolling = updateRevision !== undefined && updateRevision !== currentRevision ? ` · ${updatedReplicas} updated` : '';
  return { slots, note: `${readyReplicas} of ${want} ready${rolling}` };
}

/** A place for each node that fits. */
function daemonSet({ status }: DaemonSet): Saying {
  const { desiredNumberScheduled: want, currentNumberScheduled: there, numberReady, updatedNumberScheduled: updated = 0 } = status;
  const slots = Array.from({ length: Math.min(want, MOST_SLOTS) }, (_, place): Slot => ({
    is: place < numberReady ? 'Ready' : place < there ? 'Starting' : 'open',
  }));
  return { slots, note: `${numberReady} of ${want} nodes ready${updated < there ? ` · ${updated} updated` : ''}` };
}

function lease({ spec }: Lease, now: number): Saying {
  const { holderIdentity, renewTime, leaseDurationSeconds } = spec;
  if (holderIdentity === undefined || holderIdentity === null || holderIdentity === '') return { note: 'nobody holds it' };
  const holder = holderIdentity.split('_')[0] ?? holderIdentity;
  if (typeof renewTime !== 'string' || typeof leaseDurationSeconds !== 'number') return { note: `held by ${holder}` };
  const leftMs = Date.parse(renewTime) + leaseDurationSeconds * 1000 - now;
  const left = Math.max(0, Math.min(1, leftMs / (leaseDurationSeconds * 1000)));
  return { left, note: `${holder} · ${leftMs > 0 ? `${duration(leftMs)} left` : `ran out ${duration(leftMs)} ago`}` };
}

function cronJob({ spec, status }: CronJob): Saying {
  const { lastScheduleTime } = status;
  const last = typeof lastScheduleTime === 'string' ? `last ${lastScheduleTime.slice(5, 16).replace('T', ' ')} UTC` : 'has never run';
  const running = status.active === undefined || status.active.length === 0 ? '' : ` · ${status.active.length} active`;
  return {
    code: `${spec.schedule}${typeof spec.timeZone === 'string' ? `  ${spec.timeZone}` : ''}`,
    note: `${spec.suspend ? 'suspended · ' : ''}${last}${running}`,
  };
}

function claim({ spec, status }: PersistentVolumeClaim, world: PageWorld): Saying {
  const on = world
    .list('VolumeAttachment')
    .map(({ object }) => object)
    .find((object) => isOf('VolumeAttachment', object) && object.spec.source.persistentVolumeName === spec.volumeName);
  const where = isOf('VolumeAttachment', on)
    ? `attached to ${on.spec.nodeName}${on.metadata.deletionTimestamp === undefined ? '' : ', leaving'}`
    : 'attached nowhere';
  return { code: status.phase ?? 'Pending', note: spec.volumeName === undefined || spec.volumeName === '' ? 'no volume yet' : where };
}

function service({ metadata }: Service, world: PageWorld): Saying {
  const slices = world
    .list('EndpointSlice')
    .map(({ object }) => object)
    .filter((object): object is EndpointSlice => isOf('EndpointSlice', object))
    .filter(
      (slice) =>
        slice.metadata.namespace === metadata.namespace && (slice.metadata.ownerReferences ?? []).some(({ uid }) => uid === metadata.uid),
    );
  const endpoints = slices.flatMap(({ endpoints: list }) => list ?? []);
  const ready = endpoints.filter(({ conditions }) => conditions?.ready !== false).length;
  const slots = endpoints.slice(0, MOST_SLOTS).map(({ conditions }): Slot => ({ is: conditions?.ready === false ? 'Running' : 'Ready' }));
  return { slots, note: endpoints.length === 0 ? 'no endpoints' : `${ready} of ${many(endpoints.length, 'endpoint')} ready` };
}

/** The revision of the template that a pod was made from; of a pod without one, its image. */
export function revisionOf(object: ApiObject): string {
  const hash = object.metadata.labels?.['controller-revision-hash'];
  if (hash !== undefined) return hash;
  return isOf('Pod', object) ? (object.spec.containers?.[0]?.image ?? '') : '';
}

function conditionsOf(object: ApiObject): Card['conditions'] {
  const { status } = object;
  if (typeof status !== 'object' || status === null || !('conditions' in status) || !Array.isArray(status.conditions)) return [];
  return status.conditions.flatMap((condition: unknown) =>
    typeof condition === 'object' && condition !== null && 'type' in condition && 'status' in condition && condition.status === 'True'
      ? [{ type: String(condition.type), bad: BAD.has(String(condition.type)) }]
      : [],
  );
}
