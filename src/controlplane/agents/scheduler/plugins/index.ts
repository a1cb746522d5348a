/** Scheduling plugins, one file each, in the order in which they are called. To add one: a file and a line here. */
import type { Plugin } from '../plugin.ts';
import { balancedAllocation, imageLocality, nodeResourcesFit } from './node-resources.ts';
import { interPodAffinity } from './inter-pod-affinity.ts';
import { nodeAffinity, nodeName, nodePorts, nodeUnschedulable, taintToleration } from './node-rules.ts';
import { azureDiskLimits, ebsLimits, gcePdLimits, nodeVolumeLimits } from './node-volume-limits.ts';
import { podTopologySpread } from './pod-topology-spread.ts';
import { volumeBinding } from './volume-binding.ts';
import { volumeRestrictions, volumeZone } from './volume-rules.ts';

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
