/** Scheduling plugins, one file each, in the order in which they are called. To add one: a file and a line here. */
import type { Plugin } from '../plugin.ts';
import { balancedAllocation } from './balanced-allocation.ts';
import { imageLocality } from './image-locality.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity } from './node-affinity.ts';
import { nodeName } from './node-name.ts';
import { nodePorts } from './node-ports.ts';
import { nodeResourcesFit } from './node-resources-fit.ts';
import { nodeUnschedulable } from './node-unschedulable.ts';
import { azureDiskLimits, ebsLimits, gcePdLimits, nodeVolumeLimits } from './node-volume-limits.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { taintToleration } from './taint-toleration.ts';
import { volumeBinding } from './volume-binding.ts';
import { volumeRestrictions } from './volume-restrictions.ts';
import { volumeZone } from './volume-zone.ts';

export const plugins: readonly Plugin[] = [
  nodeUnschedulable,
  nodeName,
  taintToleration,
  nodeAffinity,
  nodePorts,
  nodeResourcesFit,
  volumeRestrictions,
  ebsLimits,
  gcePdLimits,
  nodeVolumeLimits,
  azureDiskLimits,
  volumeBinding,
  volumeZone,
  podTopologySpread,
  interPodAffinity,
  balancedAllocation,
  imageLocality,
];
