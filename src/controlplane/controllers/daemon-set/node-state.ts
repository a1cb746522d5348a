/**
 * The status of one node for a set: its contribution to the counts, whether there is something to do, and its stage in an update. Models:
 * the loops over nodes of v1.24 pkg/controller/daemon, for a single node.
 */
import type { Pod } from '../../../apiserver/kinds/index.ts';
import { compareText, placeAmong } from '../../../schema/values/index.ts';
import { isReady, readySince } from '../../shared/index.ts';
import { type Fit, hashOf } from './pod.ts';
import { accessors } from '../../../engine/index.ts';

/** One node and the set's pods there. */
export interface NodePods {
  /** Undefined: the node does not exist. */
  readonly fit: Fit | undefined;
  /** Includes pods being deleted, in upstream's order: the first is the one that counts. */
  readonly pods: readonly Pod[];
}

/** The wanted template, and whether a second pod may be created before the first is deleted. */
export interface Wanted {
  readonly hash: string;
  readonly surges: boolean;
}

/** The pods that an update finds: none, a new one, an old one, one of each, or more. */
export type Stage = 'none' | 'new' | 'old' | 'both' | 'odd';

export interface NodeState {
  /** The node fits, and has a pod or not; or it does not fit, and has one. */
  readonly runs: boolean;
  readonly served: boolean;
  readonly misplaced: boolean;
  /** The pod that counts is up to date, where the node fits. */
  readonly updated: boolean;
  readonly readySince: number | undefined;
  /** There may be a pod to create or delete, besides failed pods. */
  readonly calls: boolean;
  /** A failed pod is the only thing to handle. */
  readonly fails: boolean;
  /** Undefined: an update ignores the node. */
  readonly stage: Stage | undefined;
  /** Since when the pod that an update considers is ready: the only one, or of two the new one. */
  readonly stageSince: number | undefined;
}

export const isLive = ({ metadata }: Pod): boolean => metadata.deletionTimestamp === undefined;
export const hasFailed = ({ status }: Pod): boolean => status.phase === 'Failed';
export const isNew = (pod: Pod, { hash }: Wanted): boolean => hashOf(pod) === hash;

/** Bound pods come first, then older ones. */
export function byAge(a: Pod, b: Pod): number {
  const [left, right] = [(a.spec.nodeName ?? '') === '', (b.spec.nodeName ?? '') === ''];
  if (left !== right) return left ? 1 : -1;
  return compareText(a.metadata.creationTimestamp, b.metadata.creationTimestamp) || compareText(a.metadata.name, b.metadata.name);
}

/** The state of a node, computed from its fit and its pods. */
export function nodeStateOf(node: NodePods, wanted: Wanted): NodeState {
  const { fit, pods } = node;
  const runs = fit === 'runs';
  const first = runs ? pods[0] : undefined;
  const live = pods.filter(isLive);
  const stage = stageOf(live, runs || pods.length > 0, wanted);
  const considered = stage === 'both' ? live.find((pod) => isNew(pod, wanted)) : stage === 'new' || stage === 'old' ? live[0] : undefined;
  const calls = callsFor(node, live, stage, wanted);
  return {
    runs,
    served: runs && pods.length > 0,
    misplaced: fit !== undefined && !runs && pods.length > 0,
    updated: first !== undefined && isNew(first, wanted),
    readySince: first === undefined ? undefined : readySince(first),
    calls,
    fails: !calls && (fit === 'runs' || fit === 'stays') && live.some(hasFailed),
    stage,
    stageSince: considered === undefined ? undefined : readySince(considered),
  };
}

function stageOf(live: readonly Pod[], counts: boolean, wanted: Wanted): Stage | undefined {
  if (live.length === 0) return counts ? 'none' : undefined;
  const fresh = live.filter((pod) => isNew(pod, wanted)).length;
  const stale = live.length - fresh;
  if (fresh > 1 || stale > 1) return 'odd';
  return fresh === stale ? 'both' : fresh === 1 ? 'new' : 'old';
}

function callsFor({ fit, pods }: NodePods, live: readonly Pod[], stage: Stage | undefined, wanted: Wanted): boolean {
  switch (fit) {
    case undefined:
      return live.some(({ spec }) => (spec.nodeName ?? '') === '');
    case 'leaves':
      return live.length > 0;
    case 'runs':
    case 'stays':
      if (fit === 'runs' && (pods.length === 0 || (wanted.surges && live.every(hasFailed)))) return true;
      if (live.some(hasFailed)) return live.filter((pod) => !hasFailed(pod)).length > 1;
      if (stage === 'both') return !wanted.surges || !live.every((pod) => isNew(pod, wanted) || isReady(pod));
      return stage === 'odd';
  }
}

const withSizeReady = accessors('size', 'ready');

/** Nodes by how long their pod has been ready, so that counting available pods visits only the others. */
export interface ReadyNodes {
  readonly size: number;
  /** Nodes whose pod is ready, for any time. */
  readonly ready: number;
  /** @param since when its pod became ready, milliseconds since the epoch; Infinity: its status has no time; undefined: it is not ready. */
  add(node: string, since: number | undefined): void;
  remove(node: string, since: number | undefined): void;
  /** The number of nodes whose pod has been ready for longer than that, milliseconds. */
  available(minReadyMs: number, now: number): number;
  /** At most so many of these nodes, the longest ready first. */
  oldest(minReadyMs: number, now: number, most: number): readonly string[];
  /** All other nodes. */
  lacking(minReadyMs: number, now: number): readonly string[];
  /** The nodes as plain data. */
  describe(): unknown;
}

/** No nodes. */
export function createReadyNodes(): ReadyNodes {
  const unready = new Set<string>();
  const bySince = new Map<number, Set<string>>();
  /** In ascending order; pods become ready in order of time, so new entries nearly always go to the end. */
  const times: number[] = [];
  let ready = 0;

  /** Times from this index on are too recent; without a minimum none is. */
  const tooShort = (minReadyMs: number, now: number): number => (minReadyMs === 0 ? times.length : placeAmong(times, now - minReadyMs));
  const at = (index: number): ReadonlySet<string> => bySince.get(times[index] ?? 0) ?? new Set();

  return withSizeReady(
    {
      size: () => unready.size + ready,
      ready: () => ready,
    },
    {
      add(node, since) {
        if (since === undefined) {
          unready.add(node);
          return;
        }
        let nodes = bySince.get(since);
        if (nodes === undefined) {
          bySince.set(since, (nodes = new Set()));
          times.splice(placeAmong(times, since), 0, since);
        }
        nodes.add(node);
        ready++;
      },
      remove(node, since) {
        if (since === undefined) {
          unready.delete(node);
          return;
        }
        const nodes = bySince.get(since);
        if (nodes?.delete(node) !== true) return;
        ready--;
        if (nodes.size > 0) return;
        bySince.delete(since);
        times.splice(placeAmong(times, since), 1);
      },
      available(minReadyMs, now) {
        let count = ready;
        for (let index = tooShort(minReadyMs, now); index < times.length; index++) count -= at(index).size;
        return count;
      },
      oldest(minReadyMs, now, most) {
        const found: string[] = [];
        const end = tooShort(minReadyMs, now);
        for (let index = 0; index < end && found.length < most; index++)
          for (const node of at(index)) {
            if (found.length === most) break;
            found.push(node);
          }
        return found;
      },
      lacking(minReadyMs, now) {
        const found = [...unready];
        for (let index = tooShort(minReadyMs, now); index < times.length; index++) found.push(...at(index));
        return found;
      },
      describe: () => [unready, bySince],
    },
  );
}
