/** The cost of nodes: to set up, when idle, and beside pods. */
import { openCluster } from '../jobs.ts';
import { cpu, inTurns } from '../measure.ts';
import type { FigureGroup } from './figure.ts';
import { jobOf, timeLoad } from './loads.ts';

const HOUR_MS = 3_600_000;

const idleHourMs = (count: number): number => {
  const cluster = openCluster(count);
  return cpu(() => cluster.runUntil(cluster.now + HOUR_MS)).ms;
};

export const idle: FigureGroup = {
  name: 'idle',
  asks: 'an idle hour, by node, of many nodes against few',
  measure(scale) {
    const [few, many] = [scale.size(1_000), scale.size(5_000)];
    idleHourMs(few);
    const value = idleHourMs(many) / many / (idleHourMs(few) / few);
    return [{ label: 'an idle hour of a node, among 5,000 / among 1,000', value, limit: 1.2, is: 'most', unit: '×' }];
  },
};

export const nodes: FigureGroup = {
  name: 'many-nodes',
  asks: 'a pod among many nodes against few, and what setting up a node costs',
  measure(scale) {
    const [few, many, pods] = [100, scale.size(5_000), scale.size(10_000)];
    const setUp = cpu(() => openCluster(many)).ms / many;
    // All pods at once, so that no heartbeat of a node comes between them.
    const [among = { ms: 0 }, beside = { ms: 1 }] = inTurns(
      scale.rounds,
      [many, few].map((count) => () => timeLoad(count, {}, [jobOf('wide', pods, pods)], pods)),
    );
    return [
      { label: 'a pod among 5,000 nodes / among 100', value: among.ms / beside.ms, limit: 1.3, is: 'most', unit: '×' },
      { label: 'setting up a node', value: setUp, limit: 0.3, is: 'most', unit: 'ms' },
    ];
  },
};
