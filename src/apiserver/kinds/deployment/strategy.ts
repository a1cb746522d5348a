/** What the server makes of a Deployment before it is stored. Models: v1.24 pkg/registry/apps/deployment/strategy.go. */
import {
  type ApiObject,
  assign,
  castDraft,
  type Draft,
  dropGatedPodFields,
  keepSpec,
  keepStatus,
  type KindContext,
} from '../../vocabulary/index.ts';
import type { Deployment } from './shape.ts';

export function prepareDeployment(draft: Draft<Deployment>, context: KindContext): void {
  draft.status = {};
  dropGatedPodFields(draft.spec.template, undefined, context);
}

export function prepareDeploymentUpdate(draft: Draft<Deployment>, old: Deployment, context: KindContext): void {
  keepStatus(draft, old);
  dropGatedPodFields(draft.spec.template, old.spec.template, context);
}

/** A field of older versions that this one carries as an annotation: the revision to go back to. */
const ROLLBACK = 'deprecated.deployment.rollback.to';

/** Upstream makes a number of the annotation when it reads a Deployment. Source: v1.24 pkg/apis/apps/v1/conversion.go. */
export function unreadableRollback({ metadata }: ApiObject): string | undefined {
  const to = metadata.annotations?.[ROLLBACK];
  return to === undefined || /^[+-]?\d+$/.test(to)
    ? undefined
    : `failed to parse annotation[${ROLLBACK}]=${to} as int64: strconv.ParseInt: parsing ${JSON.stringify(to)}: invalid syntax`;
}

/** A write of the status leaves labels as they are, but not annotations: the controller numbers its revisions that way. */
export function prepareDeploymentStatusUpdate(draft: Draft<Deployment>, old: Deployment): void {
  keepSpec(draft, old);
  const { labels } = old.metadata;
  assign(draft.metadata, 'labels', labels === undefined ? undefined : castDraft(labels));
}
