/** Nominated pods: they have a node after preemption, and are not bound yet. Models: v1.24 pkg/scheduler/internal/queue nominator. */
import type { PodInfo } from './pod-info.ts';
import { accessors } from '../../../engine/index.ts';

const withSizeVersion = accessors('size', 'version');

export interface Nominator {
  /** Sets the nominated node; '' removes the nomination. */
  set(info: PodInfo, node: string): void;
  remove(uid: string): void;
  nodeOf(uid: string): string | undefined;
  on(node: string): Iterable<PodInfo>;
  readonly size: number;
  /** Increases with every change. */
  readonly version: number;
  /** The nominations as plain data. */
  describe(): unknown;
}

const NONE: readonly PodInfo[] = [];

/** No nominations. */
export function createNominator(): Nominator {
  const nodes = new Map<string, Map<string, PodInfo>>();
  const nodeOf = new Map<string, string>();
  let version = 0;
  const remove = (uid: string): void => {
    const node = nodeOf.get(uid);
    if (node === undefined) return;
    nodeOf.delete(uid);
    version++;
    const pods = nodes.get(node);
    pods?.delete(uid);
    if (pods?.size === 0) nodes.delete(node);
  };
  return withSizeVersion(
    {
      size: () => nodeOf.size,
      version: () => version,
    },
    {
      set(info, node) {
        remove(info.uid);
        if (node === '') return;
        nodeOf.set(info.uid, node);
        version++;
        const pods = nodes.get(node);
        if (pods === undefined) nodes.set(node, new Map([[info.uid, info]]));
        else pods.set(info.uid, info);
      },
      remove,
      nodeOf: (uid) => nodeOf.get(uid),
      on: (node) => nodes.get(node)?.values() ?? NONE,
      describe: () => nodes,
    },
  );
}
