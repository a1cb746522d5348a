/** Changes of pods before they are stored. Models: v1.24 pkg/registry/core/pod/strategy.go. */
import {
  alignSeccomp,
  castDraft,
  type Draft,
  dropGatedPodFields,
  type KindContext,
  type PodSpec,
  currentOf,
  hasSeccomp,
} from '../../machinery/index.ts';
import { qosClassOf } from './qos.ts';
import type { Pod } from './shape.ts';

/** All new pods share this status. */
const PENDING = {
  Guaranteed: Object.freeze({ phase: 'Pending', qosClass: 'Guaranteed' }),
  Burstable: Object.freeze({ phase: 'Pending', qosClass: 'Burstable' }),
  BestEffort: Object.freeze({ phase: 'Pending', qosClass: 'BestEffort' }),
} as const;

type Annotations = Pod['metadata']['annotations'];

/** The parts that are read for every pod. They are taken from the draft one by one, because reading the whole draft would copy it. */
const partsOf = ({ spec }: Draft<Pod>): Pick<PodSpec, 'containers' | 'initContainers' | 'securityContext'> => ({
  containers: currentOf<PodSpec['containers']>(spec.containers),
  ...(spec.initContainers === undefined ? {} : { initContainers: currentOf<NonNullable<PodSpec['initContainers']>>(spec.initContainers) }),
  securityContext: currentOf<PodSpec['securityContext']>(spec.securityContext),
});

export function preparePod(draft: Draft<Pod>, context: KindContext): void {
  dropGatedPodFields(draft, undefined, context);
  const said = partsOf(draft);
  draft.status = PENDING[qosClassOf(said)];
  if (!hasSeccomp(currentOf<Annotations>(draft.metadata.annotations), said, context)) return;
  const { metadata, spec } = currentOf<Pod>(draft);
  const aligned = alignSeccomp(metadata.annotations, spec, context);
  if (aligned.annotations !== undefined) draft.metadata.annotations = aligned.annotations;
  if (aligned.spec !== undefined) draft.spec = castDraft(aligned.spec);
}
