/** What the server makes of a pod before it is stored. Models: v1.24 pkg/registry/core/pod/strategy.go. */
import { alignSeccomp, castDraft, type Draft, type KindContext, settled, speaksOfSeccomp } from '../../vocabulary/index.ts';
import { qosClassOf } from './qos.ts';
import type { Pod } from './shape.ts';

/** Pods begin alike, so they share this. */
const PENDING = {
  Guaranteed: Object.freeze({ phase: 'Pending', qosClass: 'Guaranteed' }),
  Burstable: Object.freeze({ phase: 'Pending', qosClass: 'Burstable' }),
  BestEffort: Object.freeze({ phase: 'Pending', qosClass: 'BestEffort' }),
} as const;

export function preparePod(draft: Draft<Pod>, context: KindContext): void {
  const { metadata, spec } = settled<Pod>(draft);
  draft.status = PENDING[qosClassOf(spec)];
  if (!speaksOfSeccomp(metadata.annotations, spec, context)) return;
  const aligned = alignSeccomp(metadata.annotations, spec, context);
  if (aligned.annotations !== undefined) draft.metadata.annotations = aligned.annotations;
  if (aligned.spec !== undefined) draft.spec = castDraft(aligned.spec);
}
