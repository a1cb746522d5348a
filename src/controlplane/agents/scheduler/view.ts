/** The view of plugins while one pod is scheduled: nodes with their pods, and objects of other kinds. */
import type { FeatureGates, Names } from '../../../apiserver/machinery/index.ts';
import type { CacheView } from '../../runtime/index.ts';
import type { NodeInfo } from './node-info.ts';
import type { PodGroups } from './pod-groups.ts';
import type { Topology } from './topology.ts';
import type { AssumedVolumes } from './volumes/assumed-volumes.ts';
import type { VolumeIndex } from './volumes/volume-index.ts';

export interface NodeMarks {
  /** A taint that only discourages. */ readonly softTaints: boolean;
  /** A report of its images. */ readonly images: boolean;
}

export interface SchedulerView {
  readonly names: Names;
  readonly gates: FeatureGates;
  /** Objects as the scheduler's watches delivered them. */
  readonly cache: CacheView;
  /** Pods on nodes, counted by what selectors can read of them. */
  readonly groups: PodGroups;
  /** The values of node labels. */
  readonly topology: Topology;
  /** Properties that at least one node has: avoids a loop over nodes. */
  readonly marks: NodeMarks;
  /** Whether there is any nominated pod. */
  readonly hasNominations: boolean;
  /** Volumes and claims reserved for assumed pods. */
  readonly volumes: AssumedVolumes;
  readonly volumeIndex: VolumeIndex;
  /** All nodes in the order in which filtering visits them. */
  nodes(): readonly NodeInfo[];
  node(name: string): NodeInfo | undefined;
  /** Nodes that have changed since the last call. */
  takeStale(): readonly NodeInfo[];
}
