/** What the server makes of a pod before it is stored. Models: v1.24 pkg/registry/core/pod/strategy.go. */
import {
  alignSeccomp,
  castDraft,
  type Draft,
  dropGatedPodFields,
  keepStatus,
  type KindContext,
  type PodSpec,
  settled,
  speaksOfSeccomp,
} from '../../vocabulary/index.ts';
import { qosClassOf } from './qos.ts';
import type { Pod } from './shape.ts';

/** Pods begin alike, so they share this. */
const PENDING = {
  Guaranteed: Object.freeze({ phase: 'Pending', qosClass: 'Guaranteed' }),
  Burstable: Object.freeze({ phase: 'Pending', qosClass: 'Burstable' }),
  BestEffort: Object.freeze({ phase: 'Pending', qosClass: 'BestEffort' }),
} as const;

type Annotations = Pod['metadata']['annotations'];

/** What is looked at in every pod; of a draft the parts, because the whole of it is made anew to be read. */
const partsOf = ({ spec }: Draft<Pod>): Pick<PodSpec, 'containers' | 'initContainers' | 'securityContext'> => ({
  containers: settled<PodSpec['containers']>(spec.containers),
  ...(spec.initContainers === undefined ? {} : { initContainers: settled<NonNullable<PodSpec['initContainers']>>(spec.initContainers) }),
  securityContext: settled<PodSpec['securityContext']>(spec.securityContext),
});

export function preparePod(draft: Draft<Pod>, context: KindContext): void {
  dropGatedPodFields(draft, undefined, context);
  const said = partsOf(draft);
  draft.status = PENDING[qosClassOf(said)];
  if (!speaksOfSeccomp(settled<Annotations>(draft.metadata.annotations), said, context)) return;
  const { metadata, spec } = settled<Pod>(draft);
  const aligned = alignSeccomp(metadata.annotations, spec, context);
  if (aligned.annotations !== undefined) draft.metadata.annotations = aligned.annotations;
  if (aligned.spec !== undefined) draft.spec = castDraft(aligned.spec);
}

export function preparePodUpdate(draft: Draft<Pod>, old: Pod, context: KindContext): void {
  keepStatus(draft, old);
  dropGatedPodFields(draft, old, context);
}
