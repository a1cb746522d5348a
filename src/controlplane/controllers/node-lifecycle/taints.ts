/**
 * The taints for a node's conditions. Models: v1.24 pkg/controller/nodelifecycle, doNoScheduleTaintingPass and processTaintBaseEviction.
 */
import type { Names } from '../../../apiserver/machinery/index.ts';
import type { Node, Taint } from '../../../apiserver/kinds/index.ts';

/** Taint names by condition type and status. */
const BY_CONDITION: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: 'not-ready', Unknown: 'unreachable' },
  MemoryPressure: { True: 'memory-pressure' },
  DiskPressure: { True: 'disk-pressure' },
  NetworkUnavailable: { True: 'network-unavailable' },
  PIDPressure: { True: 'pid-pressure' },
};
const NO_SCHEDULE = [
  'not-ready',
  'unreachable',
  'memory-pressure',
  'disk-pressure',
  'network-unavailable',
  'pid-pressure',
  'unschedulable',
];
const NO_EXECUTE = ['not-ready', 'unreachable'];

/** Keys of the NoSchedule taints that the node should have, among those that this controller manages. */
export function wantedNoSchedule(node: Node, names: Names): readonly string[] {
  const wanted: string[] = [];
  for (const { type, status } of node.status.conditions ?? []) {
    const name = BY_CONDITION[type]?.[status];
    if (name !== undefined) wanted.push(names.key('node', name));
  }
  if (node.spec.unschedulable === true) wanted.push(names.key('node', 'unschedulable'));
  return wanted;
}

/** Keys of the NoExecute taints that a node with this readiness should have. */
export const wantedNoExecute = (ready: string | undefined, names: Names): readonly string[] =>
  ready === 'False' ? [names.key('node', 'not-ready')] : ready === 'Unknown' ? [names.key('node', 'unreachable')] : [];

/** The node's taints with the managed ones of an effect as wanted; new ones get the time, if there is one; undefined: no change. */
export function withTaints(
  node: Node,
  effect: 'NoSchedule' | 'NoExecute',
  wanted: readonly string[],
  names: Names,
  at: string | undefined,
): readonly Taint[] | undefined {
  const managed = new Set((effect === 'NoSchedule' ? NO_SCHEDULE : NO_EXECUTE).map((name) => names.key('node', name)));
  const taints = node.spec.taints ?? [];
  const isManaged = (taint: Taint): boolean => taint.effect === effect && managed.has(taint.key);
  const has = new Set(taints.filter(isManaged).map(({ key }) => key));
  if (has.size === wanted.length && wanted.every((key) => has.has(key))) return undefined;
  const kept = taints.filter((taint) => !isManaged(taint) || wanted.includes(taint.key));
  return [
    ...kept,
    ...wanted.filter((key) => !has.has(key)).map((key): Taint => ({ key, effect, ...(at === undefined ? {} : { timeAdded: at }) })),
  ];
}
