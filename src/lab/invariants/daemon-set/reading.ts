/** How invariants read DaemonSets, their pods and the nodes. The rules are independent of the controller's code, because they check it. */
import { requiredNodeTest, untoleratedTaint } from '../../../apiserver/decisions/index.ts';
import type { DaemonSet, Node, Pod } from '../../../apiserver/kinds/index.ts';
import type { Change } from '../../../apiserver/store/index.ts';
import type { ApiObject, Names, Toleration } from '../../../apiserver/machinery/index.ts';
import { legacyIntOrPercent } from '../../../schema/values/index.ts';
import type { Facts } from '../invariant.ts';
import { as, asNode, isDying } from '../forms.ts';

export const CONTROLLER = 'daemon-set';
/** The assumed limit of cache staleness, milliseconds: a decision may be based on a state of this age. */
const GRACE_MS = 30_000;

export const asSet = as('DaemonSet');
export const revisionOf = (pod: Pod): string => pod.metadata.labels?.['controller-revision-hash'] ?? '';

/** Returns the node of a pod, or the node for which it was created. */
export function nodeOf({ spec }: Pod): string {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const [term] = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return term?.matchFields?.find(({ key }) => key === 'metadata.name')?.values?.[0] ?? '';
}

/** Taints that every daemon pod tolerates. */
const TOLERATED: readonly (readonly [string, string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
  ['network-unavailable', 'NoSchedule'],
];

/** Returns whether a node must have a pod of the set, may keep one, or must have none. */
export function fitOf({ spec: { template } }: Pick<DaemonSet, 'spec'>, node: Node, names: Names): 'runs' | 'stays' | 'leaves' {
  const { spec } = template;
  if ((spec.nodeName ?? node.metadata.name) !== node.metadata.name || requiredNodeTest(spec)?.(node) === false) return 'leaves';
  const given = TOLERATED.filter(([name]) => name !== 'network-unavailable' || spec.hostNetwork === true);
  const tolerations: Toleration[] = [
    ...(spec.tolerations ?? []),
    ...given.map(([name, effect]) => ({ key: names.key('node', name), operator: 'Exists', effect })),
  ];
  const { taints } = node.spec;
  if (untoleratedTaint(taints, tolerations, ({ effect }) => effect === 'NoExecute') !== undefined) return 'leaves';
  return untoleratedTaint(taints, tolerations, ({ effect }) => effect === 'NoSchedule') === undefined ? 'runs' : 'stays';
}

/** Returns how many nodes may have a second pod beside a ready one. */
export function surgeOf({ spec: { updateStrategy } }: Pick<DaemonSet, 'spec'>, nodes: number): number {
  if (updateStrategy.type !== 'RollingUpdate') return 0;
  const scaled = legacyIntOrPercent(updateStrategy.rollingUpdate?.maxSurge ?? 0, nodes, true);
  return scaled.error === undefined ? scaled.value : 0;
}

export type Past = ReturnType<typeof createPast>;

/** The versions of sets and nodes on which a decision may be based: the newest, and those that were replaced a short time ago. */
export function createPast() {
  const replaced = new Map<string, { readonly object: ApiObject; readonly until: number }[]>();
  const recent = (id: string, now: number): readonly ApiObject[] =>
    (replaced.get(id) ?? []).filter(({ until }) => now - until <= GRACE_MS).map(({ object }) => object);
  return {
    /** Returns the state as plain data. */
    describe: (): unknown => replaced,
    observe({ type, kind, object, previous, at }: Change): void {
      // A deleted object may still be in a cache.
      const old = type === 'DELETED' ? object : previous;
      if (old === undefined || (kind !== 'DaemonSet' && kind !== 'Node') || old['spec'] === undefined) return;
      const isSame = object['spec'] === old['spec'] && object.metadata.labels === old.metadata.labels && !isDying(object);
      if (isSame && type !== 'DELETED') return;
      const id = kind === 'Node' ? object.metadata.name : old.metadata.uid;
      const list = (replaced.get(id) ?? []).filter(({ until }) => at - until <= GRACE_MS);
      replaced.set(id, [...list, { object: old, until: at }]);
    },
    sets: (set: DaemonSet, now: number): readonly DaemonSet[] => [
      set,
      ...recent(set.metadata.uid, now).flatMap((object) => asSet(object) ?? []),
    ],
    nodes(name: string, facts: Facts): readonly Node[] {
      const node = asNode(facts.get('Node', name));
      return [...(node === undefined ? [] : [node]), ...recent(name, facts.now).flatMap((object) => asNode(object) ?? [])];
    },
  };
}
