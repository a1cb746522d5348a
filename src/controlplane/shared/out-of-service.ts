/**
 * Nodes that a user has declared out of service with a taint, behind a gate. Their pods and volumes need not wait for them. Models: v1.24
 * pkg/controller/podgc gcTerminating, pkg/controller/volume/attachdetach/reconciler hasOutOfServiceTaint.
 */
import type { Node } from '../../apiserver/kinds/index.ts';
import type { FeatureGates, Names } from '../../apiserver/machinery/index.ts';

/** Whether a node is out of service, where the gate is on. */
export const isOutOfService = (node: Node | undefined, names: Names, gates: FeatureGates): boolean =>
  gates['NodeOutOfServiceVolumeDetach'] === true &&
  node?.spec.taints?.some(({ key }) => key === names.key('node', 'out-of-service')) === true;
