/** What the server makes of a Job before it is stored. Models: v1.24 pkg/registry/batch/job/strategy.go. */
import { type ApiObject, type Draft, type KindContext, readDraft } from '../../vocabulary/index.ts';
import { compareText } from '../../../grammar/values/index.ts';
import type { Job } from './shape.ts';

type Labels = Readonly<Record<string, string>>;

/** Status is the controller's; the selector and the template's labels are made from the uid unless the user takes over. */
export function prepareJob(draft: Draft, context: KindContext): void {
  draft['status'] = {};
  const job = readDraft<Job>(draft);
  if (job.spec.manualSelector !== true) generateSelector(draft, job);
  trackWithFinalizers(draft, context);
}

/** A Job without labels of its own takes its template's. */
export const defaultJob = (draft: Draft): void => shareLabels(draft, readDraft<Job>(draft).spec.template.metadata.labels);

function shareLabels(draft: Draft, labels: Labels | undefined): void {
  if (draft.metadata['labels'] === undefined && labels !== undefined) draft.metadata['labels'] = labels;
}

function generateSelector(draft: Draft, job: Job): void {
  const { name, uid } = job.metadata;
  const { template } = job.spec;
  const given = template.metadata.labels;
  const labels = withMissing(given, { 'controller-uid': uid, 'job-name': name });
  // Upstream lets both share one map, so what is added to the one shows in the other.
  if (job.metadata.labels === given) draft.metadata['labels'] = labels;
  const selector = { ...job.spec.selector, matchLabels: withMissing(job.spec.selector?.matchLabels, { 'controller-uid': uid }) };
  // Named in published order, so that nothing needs rebuilding later.
  const { parallelism, completions, activeDeadlineSeconds, backoffLimit, selector: _, template: __, ...rest } = job.spec;
  const spec: Record<string, unknown> = {};
  for (const [key, value] of Object.entries({ parallelism, completions, activeDeadlineSeconds, backoffLimit, selector }))
    if (value !== undefined) spec[key] = value;
  const { annotations, ...before } = template.metadata;
  const metadata = { ...before, labels, ...(annotations === undefined ? {} : { annotations }) };
  draft['spec'] = {
    ...spec,
    ...(rest.manualSelector === undefined ? {} : { manualSelector: rest.manualSelector }),
    template: labels === given ? template : { ...template, metadata },
    ...rest,
  };
}

/** The labels with what they lack, sorted; the same object when they lack nothing. */
function withMissing(labels: Labels | undefined, wanted: Labels): Labels {
  if (labels !== undefined && Object.keys(wanted).every((key) => labels[key] !== undefined)) return labels;
  const merged = { ...wanted, ...labels };
  return Object.freeze(
    Object.fromEntries(
      Object.keys(merged)
        .sort(compareText)
        .map((key) => [key, merged[key] ?? '']),
    ),
  );
}

/** The annotation that says which way of tracking a Job uses: the server's to set while the gate is on, nobody's while it is off. */
function trackWithFinalizers(draft: Draft, { gates, names }: KindContext): void {
  const key = names.key('batch', 'job-tracking');
  const annotations = draft.metadata['annotations'] as Labels | undefined;
  if (gates['JobTrackingWithFinalizers'] === true) draft.metadata['annotations'] = withMissing(annotations, { [key]: '' });
  else if (annotations?.[key] !== undefined) setAnnotations(draft, without(annotations, key));
}

function without(labels: Labels, key: string): Labels {
  const { [key]: _, ...rest } = labels;
  return rest;
}

function setAnnotations(draft: Draft, annotations: Labels): void {
  for (const _ in annotations) {
    draft.metadata['annotations'] = annotations;
    return;
  }
  delete draft.metadata['annotations'];
}

export function prepareJobUpdate(draft: Draft, old: ApiObject, { gates, names }: KindContext): void {
  draft['status'] = old['status'];
  const key = names.key('batch', 'job-tracking');
  const annotations = draft.metadata['annotations'] as Labels | undefined;
  if (gates['JobTrackingWithFinalizers'] !== true && annotations?.[key] !== undefined && old.metadata.annotations?.[key] === undefined)
    setAnnotations(draft, without(annotations, key));
}
