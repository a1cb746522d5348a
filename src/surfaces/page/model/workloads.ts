/** Card contents of workloads: slots for desired pods, ordinals, sets by template revision. */
import type { DaemonSet, Deployment, Job, ReplicaSet, StatefulSet } from '../../../apiserver/kinds/index.ts';
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { CardSet, CardContent, Slot } from './card.ts';
import { phaseOf } from './phase.ts';
import type { Held, PageWorld } from './world.ts';

export const MOST_SLOTS = 48;
const MOST_FAILURES = 12;
const MOST_LABELS = 10;
/** With more pods, single ones are not shown. */
const MOST_PODS = 500;
/** Maximum number of sets of a Deployment: the old and the new one. */
const MOST_SETS = 2;

export function job({ metadata, spec, status }: Job, world: PageWorld): CardContent {
  const { succeeded = 0, active = 0, failed = 0 } = status;
  const want = spec.completions ?? spec.parallelism ?? 1;
  const indexed = spec.completionMode === 'Indexed' && want <= MOST_SLOTS && world.count('Pod') <= MOST_PODS;
  const slots: Slot[] = indexed ? indexes(metadata.uid, want, status.completedIndexes ?? '', world) : counted(want, succeeded, active);
  for (let at = 0; at < Math.min(failed, MOST_FAILURES); at++) slots.push({ is: 'failed' });
  const bad = failed === 0 ? '' : ` · ${failed} failed`;
  return { slots, note: `${succeeded} of ${want} done · ${active} active${bad}${spec.suspend ? ' · suspended' : ''}` };
}

/** A slot for each completion, by the counts of the status; with very many, a slot stands for several. */
function counted(want: number, succeeded: number, active: number): Slot[] {
  const shown = Math.min(want, MOST_SLOTS);
  const part = (count: number): number => (want === 0 ? 0 : Math.round((count * shown) / want));
  return Array.from({ length: shown }, (_, at) => ({
    is: at < part(succeeded) ? 'done' : at < part(succeeded + active) ? 'active' : 'open',
  }));
}

const INDEX = /(?:^|\/)job-completion-index$/;

/** The completion index of a pod; undefined: it has none. */
export const indexOf = ({ metadata: { annotations = {} } }: ApiObject): string | undefined =>
  Object.entries(annotations).find(([key]) => INDEX.test(key))?.[1];

/** A slot for each index: completed by the status, else the phase of its latest pod. */
function indexes(uid: string, want: number, completed: string, world: PageWorld): Slot[] {
  const done = new Set(indexesIn(completed, want));
  const pods = new Map<string, Held>();
  for (const held of world.list('Pod')) {
    if (!isOwnedBy(held.object, uid)) continue;
    const index = indexOf(held.object) ?? '';
    const known = pods.get(index);
    if (known === undefined || known.order < held.order) pods.set(index, held);
  }
  return Array.from({ length: want }, (_, at): Slot => {
    const label = want > MOST_LABELS ? {} : { label: String(at) };
    const pod = pods.get(String(at))?.object;
    return { is: done.has(at) ? 'done' : pod === undefined ? 'open' : phaseOf(pod), ...label };
  });
}

/** `1,3-5` as numbers below a limit. */
function indexesIn(text: string, below: number): readonly number[] {
  return text.split(',').flatMap((part) => {
    const [from = NaN, to = from] = part.split('-').map((number) => (number === '' ? NaN : Number(number)));
    const length = Math.min(to, below - 1) - from + 1;
    return length > 0 ? Array.from({ length }, (_, at) => from + at) : [];
  });
}

export const isOwnedBy = ({ metadata: { ownerReferences } }: ApiObject, owner: string): boolean =>
  ownerReferences?.some(({ uid }) => uid === owner) === true;

export function statefulSet({ metadata, spec, status }: StatefulSet, world: PageWorld): CardContent {
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

export function replicaSet({ spec, status }: ReplicaSet): CardContent {
  const want = spec.replicas ?? 1;
  const { replicas = 0, readyReplicas = 0 } = status;
  return { slots: replicasOf(want, replicas, readyReplicas), note: `${readyReplicas} of ${want} ready` };
}

/** Slots from counts: ready, existing, and missing pods. */
function replicasOf(want: number, there: number, ready: number): Slot[] {
  const all = Math.max(want, there);
  const shown = Math.min(all, MOST_SLOTS);
  const part = (count: number): number => (all === 0 ? 0 : Math.round((count * shown) / all));
  return Array.from({ length: shown }, (_, at) => ({ is: at < part(ready) ? 'Ready' : at < part(there) ? 'Starting' : 'open' }));
}

/** A DaemonSet, with a slot for each suitable node. */
export function daemonSet({ spec, status }: DaemonSet): CardContent {
  const { desiredNumberScheduled: want, currentNumberScheduled: there, numberReady, updatedNumberScheduled = 0 } = status;
  const old = spec.updateStrategy?.type !== 'OnDelete' && updatedNumberScheduled < there ? ` · ${updatedNumberScheduled} updated` : '';
  const wrong = status.numberMisscheduled === 0 ? '' : ` · ${status.numberMisscheduled} misscheduled`;
  return { slots: replicasOf(want, there, numberReady), note: `${numberReady} of ${want} nodes ready${old}${wrong}` };
}

/** A Deployment, with its sets by template revision, the newest first. */
export function deployment({ metadata, spec, status }: Deployment, world: PageWorld): CardContent {
  const { readyReplicas = 0, updatedReplicas = 0, replicas = 0 } = status;
  const sets = setsOf(metadata.uid, world);
  const rolling = updatedReplicas < replicas ? ` · ${updatedReplicas} updated` : '';
  const older = sets.length - MOST_SETS;
  const more = older <= 0 ? '' : ` · ${older} older set${older === 1 ? '' : 's'}`;
  return {
    sets: sets.slice(0, MOST_SETS),
    note: `${readyReplicas} of ${spec.replicas ?? 1} ready${rolling}${spec.paused === true ? ' · paused' : ''}${more}`,
  };
}

/** Sets with pods before those without, each group with the newest first. */
function setsOf(owner: string, world: PageWorld): readonly CardSet[] {
  const sets = world.list('ReplicaSet').flatMap((held): readonly (CardSet & { readonly number: number; readonly has: boolean })[] => {
    const object = world.current(held);
    if (!isOf('ReplicaSet', object) || !isOwnedBy(object, owner)) return [];
    const { slots = [], note } = replicaSet(object);
    const number = revisionNumber(object);
    const label = number === 0 ? 'new' : `revision ${number}`;
    return [{ held, label, revision: revisionOf(object), slots, note, number, has: slots.length > 0 }];
  });
  const newest = Math.max(0, ...sets.map(({ number }) => number));
  const rank = ({ number, has }: (typeof sets)[number]): number => (number === 0 || number === newest || has ? 1 : 0);
  return sets.sort((a, b) => rank(b) - rank(a) || (b.number || Infinity) - (a.number || Infinity) || b.held.order - a.held.order);
}

const REVISION = /^deployment\.[^/]+\/revision$/;

/** The revision of a set in its Deployment; 0: not assigned yet. */
function revisionNumber({ metadata: { annotations = {} } }: ApiObject): number {
  const text = Object.entries(annotations).find(([key]) => REVISION.test(key))?.[1] ?? '';
  return /^\d{1,9}$/.test(text) ? Number(text) : 0;
}

/** The template revision of a pod or set; of a pod without one, its image. */
export function revisionOf(object: ApiObject): string {
  const { 'controller-revision-hash': revision, 'pod-template-hash': hash = revision } = object.metadata.labels ?? {};
  if (hash !== undefined) return hash;
  return isOf('Pod', object) ? (object.spec.containers?.[0]?.image ?? '') : '';
}
