/** What the server makes of a Job before it is stored. Models: v1.24 pkg/registry/batch/job/strategy.go. */
import { type Draft, dropGatedPodFields, keepStatus, type KindContext, place, settled } from '../../vocabulary/index.ts';
import { compareText } from '../../../grammar/values/index.ts';
import { type Job, jobSchema } from './shape.ts';

type Labels = Readonly<Record<string, string>>;

const SPEC = jobSchema.fields.spec;
const TEMPLATE_META = SPEC.fields.template.fields.metadata;

/** Status is the controller's; the selector and the template's labels are made from the uid unless the user takes over. */
export function prepareJob(draft: Draft<Job>, context: KindContext): void {
  draft.status = {};
  if (draft.spec.manualSelector !== true) generateSelector(draft);
  trackWithFinalizers(draft, context);
  dropGatedPodFields(draft.spec.template, undefined, context);
}

/** A Job without labels of its own takes its template's. */
export function defaultJob(draft: Draft<Job>): void {
  const { labels } = draft.spec.template.metadata;
  if (draft.metadata.labels === undefined && labels !== undefined) draft.metadata.labels = labels;
}

function generateSelector({ metadata, spec }: Draft<Job>): void {
  const { name, uid } = metadata;
  const given = settled(spec.template.metadata.labels);
  const labels = withMissing(given, { 'controller-uid': uid, 'job-name': name });
  // Upstream lets both share one map, so what is added to the one shows in the other.
  if (settled(metadata.labels) === given) metadata.labels = labels;
  if (labels !== given) place(TEMPLATE_META, spec.template.metadata, { labels });
  if (spec.selector === undefined) place(SPEC, spec, { selector: {} });
  if (spec.selector !== undefined) spec.selector.matchLabels = withMissing(settled(spec.selector.matchLabels), { 'controller-uid': uid });
}

/** The labels with what they lack, sorted; the same object when they lack nothing. */
function withMissing(labels: Labels | undefined, wanted: Labels): Record<string, string> {
  if (labels !== undefined && Object.keys(wanted).every((key) => labels[key] !== undefined)) return labels;
  const merged = { ...wanted, ...labels };
  return Object.fromEntries(
    Object.keys(merged)
      .sort(compareText)
      .map((key) => [key, merged[key] ?? '']),
  );
}

/** The annotation that says which way of tracking a Job uses: the server's to set while the gate is on, nobody's while it is off. */
function trackWithFinalizers(draft: Draft<Job>, { gates, names }: KindContext): void {
  const key = names.key('batch', 'job-tracking');
  if (gates['JobTrackingWithFinalizers'] === true)
    draft.metadata.annotations = withMissing(settled(draft.metadata.annotations), { [key]: '' });
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
