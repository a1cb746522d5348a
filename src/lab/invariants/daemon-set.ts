/**
 * Invariants of DaemonSets: a pod on each matching node and on no other, two only during an update that allows it, and correct counts. The
 * rules by which they read sets, pods and nodes are independent of the controller's code, because they check it.
 */
import { requiredNodeTest, untoleratedTaint } from '../../apiserver/decisions/index.ts';
import type { DaemonSet, Node, Pod } from '../../apiserver/kinds/index.ts';
import type { Change } from '../../apiserver/store/index.ts';
import type { ApiObject, Names, Toleration } from '../../apiserver/machinery/index.ts';
import { legacyIntOrPercent } from '../../schema/values/index.ts';
import { type Facts, type Answer, answered, type Invariant, checking, ofChanges } from './invariant.ts';
import { as, asNode, isDying, asPod, isReady, lieIn, nameOf, podsOf, storedController } from './forms.ts';

const CONTROLLER = 'daemon-set';
/** The assumed limit of cache staleness, milliseconds: a decision may be based on a state of this age. */
const GRACE_MS = 30_000;

const asSet = as('DaemonSet');
const revisionOf = (pod: Pod): string => pod.metadata.labels?.['controller-revision-hash'] ?? '';

/** Returns the node of a pod, or the node for which it was created. */
function nodeOf({ spec }: Pod): string {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const [term] = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return term?.matchFields?.find(({ key }) => key === 'metadata.name')?.values?.[0] ?? '';
}

/** Taints that every daemon pod tolerates; the last one only with hostNetwork. */
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
function fitOf({ spec: { template } }: Pick<DaemonSet, 'spec'>, node: Node, names: Names): 'runs' | 'stays' | 'leaves' {
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

type Past = ReturnType<typeof createPast>;

/** The versions of sets and nodes on which a decision may be based: the newest, and those that were replaced a short time ago. */
export function createPast() {
  const replaced = new Map<string, { readonly object: ApiObject; readonly until: number }[]>();
  const recent = (id: string, now: number): readonly ApiObject[] =>
    (replaced.get(id) ?? []).filter(({ until }) => now - until <= GRACE_MS).map(({ object }) => object);
  return {
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
      const node = facts.get('Node', name);
      return [...(node === undefined ? [] : [node]), ...recent(name, facts.now).flatMap((object) => asNode(object) ?? [])];
    },
  };
}

interface Creation {
  readonly pod: Pod;
  readonly set: DaemonSet;
  readonly node: string;
  readonly past: Past;
  readonly facts: Facts;
}

/** `judge` returns the rest of a sentence about a new pod. */
const ofCreations = (name: string, description: string, judge: (creation: Creation) => Answer): Invariant =>
  ofChanges(
    name,
    description,
    { kinds: ['DaemonSet', 'Node', 'Pod'], about: (pod) => `pod ${nameOf(pod)} ` },
    createPast,
    (change, facts, past, controller) => {
      past.observe(change);
      const pod = change.type === 'ADDED' && controller === CONTROLLER ? asPod(change.object) : undefined;
      const set = pod === undefined ? undefined : storedController('DaemonSet', pod, facts);
      return pod !== undefined && set !== undefined && judge({ pod, set, node: nodeOf(pod), past, facts });
    },
    (past) => past.describe(),
  );

/** Whether the node has an old pod of the set: v1.24 creates a surge pod beside it even on a node that does not match. */
const hasOther = ({ pod, set, node, facts }: Creation): boolean =>
  livePods(set, facts).some((other) => other !== pod && nodeOf(other) === node);

const livePods = (set: DaemonSet, facts: Facts): readonly Pod[] => podsOf(set, facts).filter((pod) => !isDying(pod));

const onlyWhereItFits = ofCreations(
  'daemon-set/only-where-it-fits',
  'A pod of a DaemonSet is created only for a node that it matches: by name, selector, affinity and taints.',
  (creation) => {
    const { set, node, past, facts } = creation;
    const nodes = past.nodes(node, facts);
    if (nodes.length === 0) return `was created for ${node === '' ? 'no particular node' : `${node}, which does not exist`}`;
    const fits = past.sets(set, facts.now).some((version) => nodes.some((each) => fitOf(version, each, facts.names) === 'runs'));
    return fits || hasOther(creation) || `was created for ${node}, which DaemonSet ${nameOf(set)} does not match`;
  },
);

const twoOnlyWithinSurge = ofCreations(
  'daemon-set/two-only-within-surge',
  'A node gets a second pod of a DaemonSet only for an update with maxSurge: one pod of each template, and beside ready pods on at most maxSurge nodes.',
  ({ pod, set, node, past, facts }) => {
    const live = livePods(set, facts);
    const others = live.filter((other) => other !== pod && other.metadata.uid !== pod.metadata.uid && nodeOf(other) === node);
    const [other, third] = others.filter(({ status }) => status.phase !== 'Failed');
    if (other === undefined) return true;
    if (third !== undefined) return `is the third on ${node}`;
    const versions = past.sets(set, facts.now);
    const surge = Math.max(...versions.map((version) => surgeOf(version, [...facts.list('Node')].length)));
    if (surge === 0) return `is the second on ${node} beside ${other.metadata.name}, and DaemonSet ${nameOf(set)} has no maxSurge`;
    if (revisionOf(other) === revisionOf(pod)) return `is the second of its template on ${node}, beside ${other.metadata.name}`;
    const pairs = new Set(
      live
        .filter(
          (old) =>
            isReady(old) && live.some((fresh) => nodeOf(fresh) === nodeOf(old) && revisionOf(fresh) !== revisionOf(old) && !isReady(fresh)),
        )
        .map(nodeOf),
    );
    return pairs.size <= surge || `is the second on ${node}: ${pairs.size} nodes have two, and maxSurge allows ${surge}`;
  },
);

/**
 * Evaluated for each set that is not being deleted, when the cluster has settled and the controller was running to observe the last change.
 */
const atRest = (
  name: string,
  description: string,
  judge: (set: DaemonSet, pods: readonly Pod[], nodes: readonly Node[], facts: Facts) => Answer,
): Invariant => ({
  name,
  description,
  temporal: 'stable',
  kinds: ['*'],
  check: checking((exercised) => {
    const seen = { aliveAt: -Infinity, goneAt: -Infinity };
    return {
      describe: () => [seen.aliveAt, seen.goneAt],
      onChange({ kind, type, at }, _facts, controller): undefined {
        if (controller === CONTROLLER) seen.aliveAt = at;
        // As in v1.24, the deletion of a node triggers no sync.
        if (kind === 'Node' && type === 'DELETED') seen.goneAt = at;
      },
      onEnd(facts, settled) {
        const nodes = [...facts.list('Node')];
        for (const set of settled && seen.aliveAt >= seen.goneAt ? facts.list('DaemonSet') : []) {
          if (isDying(set)) continue;
          const violation = answered(judge(set, livePods(set, facts), nodes, facts), exercised, set, (one) => `DaemonSet ${nameOf(one)} `);
          if (violation !== undefined) return violation;
        }
        return undefined;
      },
    };
  }),
});

const oneOnEachNode = atRest(
  'daemon-set/one-on-each-fitting-node',
  'When everything has settled, each node that a DaemonSet matches has a pod of it, only one unless an update is stuck, and no other node has a pod that must not run there.',
  (set, pods, nodes, { names }) => {
    const surges = surgeOf(set, nodes.length) > 0;
    for (const node of nodes) {
      const { name } = node.metadata;
      const here = pods.filter((pod) => nodeOf(pod) === name);
      const fit = fitOf(set, node, names);
      if (fit === 'runs' && here.length === 0) return `has no pod on ${name}, which it matches, and nothing will happen any more`;
      if (fit === 'leaves' && here.length > 0)
        return `has pod ${here[0]?.metadata.name} on ${name}, which it does not match, and nothing will happen any more`;
      if (here.length > (surges ? 2 : 1)) return `has ${here.length} pods on ${name}, and nothing will happen any more`;
    }
    return true;
  },
);

const statusTellsTheTruth = atRest(
  'daemon-set/status-tells-the-truth',
  "When everything has settled, a DaemonSet's status has observed its newest generation and counts the nodes as they are.",
  (set, _live, nodes, facts) => {
    const pods = podsOf(set, facts);
    const on = ({ metadata }: Node): readonly Pod[] => pods.filter((pod) => nodeOf(pod) === metadata.name);
    const fitting = nodes.filter((node) => fitOf(set, node, facts.names) === 'runs');
    const { status } = set;
    const alone = fitting.map(on).filter((here) => here.length === 1);
    const two = fitting.length - alone.length - fitting.filter((node) => on(node).length === 0).length;
    return lieIn([
      ['observedGeneration', status.observedGeneration, set.metadata.generation ?? 0],
      ['desiredNumberScheduled', status.desiredNumberScheduled, fitting.length],
      ['currentNumberScheduled', status.currentNumberScheduled, fitting.filter((node) => on(node).length > 0).length],
      ['numberMisscheduled', status.numberMisscheduled, nodes.filter((node) => !fitting.includes(node) && on(node).length > 0).length],
      // Of two pods on a node only one counts, and the controller may choose which.
      ['numberReady', status.numberReady, alone.filter((here) => here.every(isReady)).length, two],
    ]);
  },
);

export const daemonSetInvariants: readonly Invariant[] = [onlyWhereItFits, twoOnlyWithinSurge, oneOnEachNode, statusTellsTheTruth];
