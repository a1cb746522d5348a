/**
 * The pods of each set by ordinal, and when each was last ready: updated at each change, for invariants that read all pods at once. Changes
 * by the passage of time alone are queued until the next read.
 */
import type { Pod, StatefulSet } from '../../../apiserver/kinds/index.ts';
import { controllerOf, type Names } from '../../../apiserver/machinery/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import { OrdinalSet } from '../../../controlplane/shared/index.ts';
import { keptIn } from '../../../schema/values/index.ts';
import { asPod, isDying, isReady } from '../forms.ts';

export const CONTROLLER = 'stateful-set';
/** The assumed limit of cache staleness, milliseconds: a decision may be based on a state of this age. */
export const GRACE_MS = 30_000;

export const isWell = (pod: Pod): boolean => isReady(pod) && !isDying(pod);
export const revisionOf = (pod: Pod): string => pod.metadata.labels?.['controller-revision-hash'] ?? '';
export const identityOf = (pod: Pod, names: Names): string =>
  pod.metadata.labels?.[names.key('statefulset', 'pod-name')] ?? pod.metadata.name;

/** The set of a pod, and its ordinal; undefined for pods of no set and for other names. */
export interface Place {
  readonly setUid: string;
  readonly setName: string;
  readonly ordinal: number;
}
export function placeOf(pod: Pod | undefined): Place | undefined {
  const owner = pod === undefined ? undefined : controllerOf(pod);
  if (pod === undefined || owner?.kind !== 'StatefulSet') return undefined;
  const digits = pod.metadata.name.startsWith(`${owner.name}-`) ? pod.metadata.name.slice(owner.name.length + 1) : '';
  return /^(0|[1-9]\d*)$/.test(digits) ? { setUid: owner.uid, setName: owner.name, ordinal: Number(digits) } : undefined;
}

export const isOrdered = (set: StatefulSet): boolean => set.spec.podManagementPolicy !== 'Parallel';
export const partitionOf = (set: StatefulSet): number => set.spec.updateStrategy.rollingUpdate?.partition ?? 0;

export interface OrdinalState {
  readonly present: boolean;
  readonly well: boolean;
  /** The time when it was last ready; undefined: never. */
  readonly lastWellAt: number | undefined;
  /** The set's own controller deleted it. */
  readonly taken: boolean;
  readonly createdAt: number;
}

/** An ordinal to evaluate again at an instant. */
interface Due {
  readonly at: number;
  readonly ordinal: number;
}

function put(ordinals: OrdinalSet, ordinal: number, isIn: boolean): void {
  if (isIn) ordinals.add(ordinal);
  else ordinals.delete(ordinal);
}

export class SetPods {
  readonly ordinals = new Map<number, OrdinalState>();
  wellCount = 0;
  readonly #lately = new OrdinalSet();
  readonly #notTaken = new OrdinalSet();
  readonly #known = new OrdinalSet();
  /** Sorted by time, because the delay is the same for all. */
  #due: Due[] = [];
  #next = 0;

  /** Ordinals that are ready, or were ready so recently that a decision may be based on it. */
  lately(now: number): OrdinalSet {
    this.#passTo(now);
    return this.#lately;
  }
  /** The same without those that the controller itself deleted. */
  notTaken(now: number): OrdinalSet {
    this.#passTo(now);
    return this.#notTaken;
  }
  /** Ordinals that exist, and have existed for so long that a decision must be based on them. */
  known(now: number): OrdinalSet {
    this.#passTo(now);
    return this.#known;
  }

  update(ordinal: number, ordinalState: OrdinalState, now: number): void {
    this.#passTo(now);
    this.wellCount += Number(ordinalState.well) - Number(this.ordinals.get(ordinal)?.well === true);
    this.ordinals.set(ordinal, ordinalState);
    this.#mark(ordinal, ordinalState, now);
    // One evaluation after the grace period covers both the last readiness and the age.
    if (ordinalState.lastWellAt === now || ordinalState.createdAt === now) this.#due.push({ at: now + GRACE_MS + 1, ordinal });
  }

  #mark(ordinal: number, { present, well, lastWellAt, taken, createdAt }: OrdinalState, now: number): void {
    const lately = well || (lastWellAt !== undefined && now - lastWellAt <= GRACE_MS);
    put(this.#lately, ordinal, lately);
    put(this.#notTaken, ordinal, well || (lately && !taken));
    put(this.#known, ordinal, present && now - createdAt > GRACE_MS);
  }

  #passTo(now: number): void {
    for (let due = this.#due[this.#next]; due !== undefined && due.at <= now; due = this.#due[++this.#next]) {
      const ordinalState = this.ordinals.get(due.ordinal);
      if (ordinalState !== undefined) this.#mark(due.ordinal, ordinalState, now);
    }
    if (this.#next <= this.#due.length / 2) return;
    this.#due = this.#due.slice(this.#next);
    this.#next = 0;
  }
}

export function createSetPodsIndex() {
  const setPodsIndex = new Map<string, SetPods>();
  return {
    observe({ type, kind, object, previous, at }: Change, controller: string | undefined): void {
      if (kind === 'StatefulSet' && type === 'DELETED') setPodsIndex.delete(object.metadata.uid);
      const pod = asPod(object);
      const place = placeOf(pod) ?? placeOf(asPod(previous));
      if (pod === undefined || place === undefined) return;
      const setPods = keptIn(setPodsIndex, place.setUid, () => new SetPods());
      const before = setPods.ordinals.get(place.ordinal);
      const was = asPod(previous);
      const well = type !== 'DELETED' && placeOf(pod) !== undefined && isWell(pod);
      const goes = was !== undefined && !isDying(was) && (type === 'DELETED' || isDying(pod));
      const wasReady = was !== undefined && isReady(was) && !isDying(was);
      setPods.update(
        place.ordinal,
        {
          well,
          present: type !== 'DELETED',
          lastWellAt: well || wasReady ? at : before?.lastWellAt,
          taken: goes ? controller === CONTROLLER : type === 'ADDED' ? (before?.taken ?? false) : (before?.taken ?? false) && !well,
          createdAt: type === 'ADDED' ? at : (before?.createdAt ?? at),
        },
        at,
      );
    },
    of: (setUid: string): SetPods | undefined => setPodsIndex.get(setUid),
    /** Returns the state as plain data: the other members follow from it and the time. */
    describe: (): unknown => new Map([...setPodsIndex].map(([uid, { ordinals }]) => [uid, ordinals])),
  };
}
