/** Changes of Deployments before they are stored. Models: v1.24 pkg/registry/apps/deployment/strategy.go. */
import {
  type ApiObject,
  assign,
  castDraft,
  type Draft,
  dropGatedPodFields,
  keepSpec,
  keepStatus,
  type KindContext,
} from '../../machinery/index.ts';
import type { Deployment } from './shape.ts';

export function prepareDeployment(draft: Draft<Deployment>, context: KindContext): void {
  draft.status = {};
  dropGatedPodFields(draft.spec.template, undefined, context);
}

export function prepareDeploymentUpdate(draft: Draft<Deployment>, old: Deployment, context: KindContext): void {
  keepStatus(draft, old);
  dropGatedPodFields(draft.spec.template, old.spec.template, context);
}

/** The revision to roll back to: a field of older versions that this version keeps as an annotation. */
const ROLLBACK = 'deprecated.deployment.rollback.to';

/** Upstream parses the annotation as a number when it decodes a Deployment. Source: v1.24 pkg/apis/apps/v1/conversion.go. */
export function unreadableRollback({ metadata }: ApiObject): string | undefined {
  const to = metadata.annotations?.[ROLLBACK];
  return to === undefined || /^[+-]?\d+$/.test(to)
    ? undefined
    : `failed to parse annotation[${ROLLBACK}]=${to} as int64: strconv.ParseInt: parsing ${JSON.stringify(to)}: invalid syntax`;
}

/** A status update keeps the labels, but may change annotations: the controller stores its revision number in one. */
export function prepareDeploymentStatusUpdate(draft: Draft<Deployment>, old: Deployment): void {
  keepSpec(draft, old);
  const { labels } = old.metadata;
  assign(draft.metadata, 'labels', labels === undefined ? undefined : castDraft(labels));
}
