/** Rules of Jobs. Models: v1.24 pkg/apis/batch/validation, pkg/registry/batch/job/strategy.go. */
import type { Draft, KindContext } from '../kind.ts';
import type { ApiObject } from '../object.ts';
import type { FieldError } from '../status.ts';
import { subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';
import type { Job } from './job.ts';

type Labels = Readonly<Record<string, string>>;
const sorted = (labels: Labels): Labels => Object.fromEntries(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));

/** Status is the controller's; the selector and the template's labels are made from the uid unless the user takes over. */
export function prepareJob(draft: Draft, context: KindContext): void {
  draft['status'] = {};
  draft.metadata['generation'] = 1;
  const job = draft as unknown as Job;
  if (job.spec.manualSelector !== true) generateSelector(draft, job, context);
}

function generateSelector(draft: Draft, job: Job, _context: KindContext): void {
  const { name, uid, labels } = job.metadata;
  const template = job.spec.template;
  const own: Record<string, string> = { ...template.metadata.labels };
  if (own['controller-uid'] === undefined) own['controller-uid'] = uid;
  if (own['job-name'] === undefined) own['job-name'] = name;
  // Upstream's template and Job share one map when neither had labels of its own.
  if (labels === undefined) draft.metadata['labels'] = sorted(own);
  const selector = { ...job.spec.selector, matchLabels: sorted({ ...job.spec.selector?.matchLabels, ...(job.spec.selector?.matchLabels?.['controller-uid'] === undefined ? { 'controller-uid': uid } : {}) }) };
  draft['spec'] = { ...job.spec, selector, template: { ...template, metadata: { ...template.metadata, labels: sorted(own) } } };
}

export function prepareJobUpdate(draft: Draft, old: ApiObject): void {
  draft['status'] = old['status'];
}

export const validateJob = (object: ApiObject, context: KindContext): readonly FieldError[] => validateMeta(object, true, subdomainName, context);
export const validateJobUpdate = (object: ApiObject, old: ApiObject): readonly FieldError[] => validateMetaUpdate(object, old);
export const validateJobStatusUpdate = (object: ApiObject, old: ApiObject): readonly FieldError[] => validateMetaUpdate(object, old);
