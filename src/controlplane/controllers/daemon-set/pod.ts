/**
 * The pod that a DaemonSet creates for a node: the scheduler binds it, and its required affinity allows only that node. A node is eligible
 * by the rules that the scheduler applies: name, selector and affinity, and taints. Resources are not considered: a pod that does not fit
 * stays pending. Models: v1.24 pkg/controller/daemon/util CreatePodTemplate, ReplaceDaemonSetPodNodeNameNodeAffinity, GetTargetNodeName,
 * AddOrUpdateDaemonPodTolerations; pkg/controller/daemon NodeShouldRunDaemonPod.
 */
import { memo, perObject } from '../../../engine/index.ts';
import type { DaemonSet, Pod, Node, Taint } from '../../../apiserver/kinds/index.ts';
import type { Names, ObjectInput, PodSpec, Toleration, ApiObject } from '../../../apiserver/machinery/index.ts';
import type { Write } from '../../runtime/index.ts';
import { createPodOf, podMetadata } from '../../shared/index.ts';
import { requiredNodeTest, untoleratedTaint } from '../../../apiserver/decisions/index.ts';

type Template = DaemonSet['spec']['template'];

/** The parts that pods of one template share. */
interface Base {
  readonly uid: string;
  readonly hash: string;
  readonly generation: string | undefined;
  readonly metadata: ObjectInput['metadata'];
  readonly tolerations: PodSpec['tolerations'];
}
const bases = memo(new WeakMap<Template, Base>());

const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';
const GENERATION_LABEL = 'pod-template-generation';

/** Built once per template, because the server validates known parts only once. */
function baseOf(set: DaemonSet, hash: string, names: Names): Base {
  const { template } = set.spec;
  const { uid } = set.metadata;
  const generation = set.metadata.annotations?.[GENERATION_ANNOTATION];
  const known = bases.get(template);
  if (known !== undefined && known.uid === uid && known.hash === hash && known.generation === generation) return known;
  const labels = {
    ...template.metadata.labels,
    ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }),
    [HASH_LABEL]: hash,
  };
  const base: Base = {
    uid,
    hash,
    generation,
    metadata: podMetadata(set, template, { labels: Object.freeze(labels) }),
    tolerations: Object.freeze(daemonTolerations(template.spec, names).map((toleration) => Object.freeze(toleration))),
  };
  bases.set(template, base);
  return base;
}

export function createPod(set: DaemonSet, hash: string, node: string, names: Names): Write {
  const { metadata, tolerations } = baseOf(set, hash, names);
  const { spec } = set.spec.template;
  const pod = { kind: 'Pod', apiVersion: 'v1', metadata, spec: { ...spec, affinity: affinityTo(node, spec.affinity), tolerations } };
  return createPodOf(set, pod);
}

/** The template's affinity with the node selector replaced by this node, which satisfies it. */
const affinityTo = (node: string, affinity: PodSpec['affinity']): PodSpec['affinity'] => ({
  ...affinity,
  nodeAffinity: {
    ...affinity?.nodeAffinity,
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
    },
  },
});

/** The node that a pod is bound to, or was created for; undefined: unknown. */
export function nodeOfPod({ spec }: Pod): string | undefined {
  if (spec.nodeName !== undefined && spec.nodeName !== '') return spec.nodeName;
  const terms = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms
    .flatMap(({ matchFields = [] }) => matchFields)
    .find(({ key, operator, values }) => key === 'metadata.name' && operator === 'In' && values?.length === 1)?.values?.[0];
}

/** In upstream's order: a daemon should keep running while its node has problems. */
const ADDED: readonly (readonly [name: string, effect: string])[] = [
  ['not-ready', 'NoExecute'],
  ['unreachable', 'NoExecute'],
  ['disk-pressure', 'NoSchedule'],
  ['memory-pressure', 'NoSchedule'],
  ['pid-pressure', 'NoSchedule'],
  ['unschedulable', 'NoSchedule'],
];
const ON_THE_NODES_NETWORK = ['network-unavailable', 'NoSchedule'] as const;

/** The template's tolerations and the added ones; an added one removes the time limit of the template's. */
export function daemonTolerations({ tolerations = [], hostNetwork }: PodSpec, names: Names): readonly Toleration[] {
  const added = hostNetwork === true ? [...ADDED, ON_THE_NODES_NETWORK] : ADDED;
  const result: Toleration[] = [...tolerations];
  for (const [name, effect] of added) {
    const toleration: Toleration = { key: names.key('node', name), operator: 'Exists', effect };
    const like = result.flatMap((other, at) => (COMPARED.every((field) => (other[field] ?? '') === (toleration[field] ?? '')) ? [at] : []));
    for (const at of like.length === 0 ? [result.length] : like) result[at] = toleration;
  }
  return result;
}

const COMPARED = ['key', 'effect', 'operator', 'value'] as const;

/** `runs`: the node gets a pod; `stays`: an existing pod may stay, but none is created; `leaves`: no pod may be there. */
export type Fit = 'runs' | 'stays' | 'leaves';
export type FitTest = (node: Node) => Fit;

const evicts = ({ effect }: Taint): boolean => effect === 'NoExecute';
const repels = ({ effect }: Taint): boolean => effect === 'NoSchedule' || effect === 'NoExecute';

export const fitTest = perObject(({ spec }: Template, names: Names): FitTest => {
  const tolerations = daemonTolerations(spec, names);
  const wanted = requiredNodeTest(spec);
  const pinned = spec.nodeName ?? '';
  return (node) => {
    if ((pinned !== '' && pinned !== node.metadata.name) || wanted?.(node) === false) return 'leaves';
    const { taints } = node.spec;
    if (untoleratedTaint(taints, tolerations, repels) === undefined) return 'runs';
    return untoleratedTaint(taints, tolerations, evicts) === undefined ? 'stays' : 'leaves';
  };
});

export const HASH_LABEL = 'controller-revision-hash';

export const hashOf = ({ metadata }: Pick<ApiObject, 'metadata'>): string | undefined => metadata.labels?.[HASH_LABEL];
