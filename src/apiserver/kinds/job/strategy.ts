/** Changes of Jobs before they are stored. Models: v1.24 pkg/registry/batch/job/strategy.go. */
import { type Draft, dropGatedPodFields, keepStatus, type KindContext, insertInOrder, currentOf } from '../../machinery/index.ts';
import { compareText } from '../../../schema/values/index.ts';
import { type Job, jobSchema } from './shape.ts';

type Labels = Readonly<Record<string, string>>;

const SPEC = jobSchema.fields.spec;
const TEMPLATE_META = SPEC.fields.template.fields.metadata;

/** Resets the status; generates the selector and the template's labels from the uid, unless the user sets them. */
export function prepareJob(draft: Draft<Job>, context: KindContext): void {
  draft.status = {};
  if (draft.spec.manualSelector !== true) generateSelector(draft);
  trackWithFinalizers(draft, context);
  dropGatedPodFields(draft.spec.template, undefined, context);
}

/** A Job without labels gets those of its template. */
export function defaultJob(draft: Draft<Job>): void {
  const { labels } = draft.spec.template.metadata;
  if (draft.metadata.labels === undefined && labels !== undefined) draft.metadata.labels = labels;
}

function generateSelector({ metadata, spec }: Draft<Job>): void {
  const { name, uid } = metadata;
  const given = currentOf(spec.template.metadata.labels);
  const labels = withMissing(given, { 'controller-uid': uid, 'job-name': name });
  // Upstream lets both share one map, so additions to one appear in the other.
  if (currentOf(metadata.labels) === given) metadata.labels = labels;
  if (labels !== given) insertInOrder(TEMPLATE_META, spec.template.metadata, { labels });
  if (spec.selector === undefined) insertInOrder(SPEC, spec, { selector: {} });
  if (spec.selector !== undefined) spec.selector.matchLabels = withMissing(currentOf(spec.selector.matchLabels), { 'controller-uid': uid });
}

/** Returns the labels with the missing ones added, sorted; the same object when none are missing. */
function withMissing(labels: Labels | undefined, wanted: Labels): Record<string, string> {
  if (labels !== undefined && Object.keys(wanted).every((key) => labels[key] !== undefined)) return labels;
  const merged = { ...wanted, ...labels };
  return Object.fromEntries(
    Object.keys(merged)
      .sort(compareText)
      .map((key) => [key, merged[key] ?? '']),
  );
}

/** Sets the annotation for tracking with finalizers while the gate is on, and drops it while the gate is off. */
function trackWithFinalizers(draft: Draft<Job>, { gates, names }: KindContext): void {
  const key = names.key('batch', 'job-tracking');
  if (gates['JobTrackingWithFinalizers'] === true)
    draft.metadata.annotations = withMissing(currentOf(draft.metadata.annotations), { [key]: '' });
  else dropAnnotation(draft, key);
}

function dropAnnotation({ metadata }: Draft<Job>, key: string): void {
  if (metadata.annotations?.[key] === undefined) return;
  delete metadata.annotations[key];
  if (Object.keys(metadata.annotations).length === 0) delete metadata.annotations;
}

export function prepareJobUpdate(draft: Draft<Job>, old: Job, context: KindContext): void {
  const { gates, names } = context;
  keepStatus(draft, old);
  dropGatedPodFields(draft.spec.template, old.spec.template, context);
  const key = names.key('batch', 'job-tracking');
  if (gates['JobTrackingWithFinalizers'] !== true && old.metadata.annotations?.[key] === undefined) dropAnnotation(draft, key);
}
