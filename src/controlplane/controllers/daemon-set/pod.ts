/**
 * The pod that a DaemonSet creates for a node: the scheduler binds it, and its required affinity allows only that node. Models: v1.24
 * pkg/controller/daemon/util CreatePodTemplate, ReplaceDaemonSetPodNodeNameNodeAffinity, GetTargetNodeName.
 */
import type { DaemonSet, Pod } from '../../../apiserver/kinds/index.ts';
import type { Names, ObjectInput, PodSpec } from '../../../apiserver/machinery/index.ts';
import { create, type Write } from '../../runtime/index.ts';
import { controllerReference } from '../../shared/index.ts';
import { HASH_LABEL } from './hash.ts';
import { daemonTolerations } from './tolerations.ts';

type Template = DaemonSet['spec']['template'];
type Affinity = NonNullable<PodSpec['affinity']>;

/** The parts that pods of one template share. */
interface Base {
  readonly uid: string;
  readonly hash: string;
  readonly generation: string | undefined;
  readonly metadata: ObjectInput['metadata'];
  readonly tolerations: PodSpec['tolerations'];
}
const bases = new WeakMap<Template, Base>();

const GENERATION_ANNOTATION = 'deprecated.daemonset.template.generation';
const GENERATION_LABEL = 'pod-template-generation';

/** Built once per template, because the server validates known parts only once. */
function baseOf(set: DaemonSet, hash: string, names: Names): Base {
  const { template } = set.spec;
  const { uid, name, namespace } = set.metadata;
  const generation = set.metadata.annotations?.[GENERATION_ANNOTATION];
  const known = bases.get(template);
  if (known !== undefined && known.uid === uid && known.hash === hash && known.generation === generation) return known;
  const { labels, annotations, finalizers } = template.metadata;
  const base: Base = {
    uid,
    hash,
    generation,
    metadata: Object.freeze({
      generateName: `${name}-`,
      ...(namespace === undefined ? {} : { namespace }),
      labels: Object.freeze({ ...labels, ...(generation === undefined ? {} : { [GENERATION_LABEL]: generation }), [HASH_LABEL]: hash }),
      ...(annotations === undefined ? {} : { annotations }),
      ownerReferences: Object.freeze([Object.freeze(controllerReference(set))]),
      ...(finalizers === undefined ? {} : { finalizers }),
    }),
    tolerations: Object.freeze(daemonTolerations(template.spec, names).map((toleration) => Object.freeze(toleration))),
  };
  bases.set(template, base);
  return base;
}

/** Creates one pod of the set, for one node. */
export function createPod(set: DaemonSet, hash: string, node: string, names: Names): Write {
  const { metadata, tolerations } = baseOf(set, hash, names);
  const { spec } = set.spec.template;
  return create(
    { kind: 'Pod', apiVersion: 'v1', metadata, spec: { ...spec, affinity: affinityTo(node, spec.affinity), tolerations } },
    { then: { about: set, type: 'Normal', reason: 'SuccessfulCreate', message: 'Created pod: {name}' } },
  );
}

/** The template's affinity with the node selector replaced by this node, which satisfies it. */
const affinityTo = (node: string, affinity: Affinity | undefined): Affinity => ({
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
  for (const { matchFields = [] } of terms)
    for (const { key, operator, values = [] } of matchFields)
      if (key === 'metadata.name' && operator === 'In' && values.length === 1) return values[0];
  return undefined;
}
