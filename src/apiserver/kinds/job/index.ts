/**
 * Job: run-to-completion work executed by pods. Models: v1.24 batch/v1 Job, pkg/registry/batch/job, pkg/apis/batch validation and defaults.
 */
import { compareText } from '../../../schema/values/index.ts';
import { currentOf, defineKind, humanDuration, insertInOrder, keepStatus, selectorColumn, templateColumns } from '../../machinery/index.ts';
import type { Draft } from '../../machinery/index.ts';
import type { KindContext } from '../../objects/index.ts';
import { conditionErrors, forbidden, invalid, oneConditionOfAType, templateWarnings } from '../../validation/index.ts';
import { changeErrors, hostnameErrors, metaErrors, specErrors, trackingErrors, uncountedErrors } from './rules.ts';
import { type Job, jobSchema } from './shape.ts';

type Labels = Readonly<Record<string, string>>;

const SPEC = jobSchema.fields.spec;
const TEMPLATE_META = SPEC.fields.template.fields.metadata;

/** Resets the status; generates the selector and the template's labels from the uid, unless the user sets them. */
function prepareJob(draft: Draft<Job>, context: KindContext): void {
  draft.status = {};
  if (draft.spec.manualSelector !== true) generateSelector(draft);
  trackWithFinalizers(draft, context);
}

/** A Job without labels gets those of its template. */
function defaultJob(draft: Draft<Job>): void {
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

function prepareJobUpdate(draft: Draft<Job>, old: Job, context: KindContext): void {
  const { gates, names } = context;
  keepStatus(draft, old);
  const key = names.key('batch', 'job-tracking');
  if (gates['JobTrackingWithFinalizers'] !== true && old.metadata.annotations?.[key] === undefined) dropAnnotation(draft, key);
}

function completions({ spec, status }: Job): string {
  const done = status.succeeded ?? 0;
  if (spec.completions !== undefined) return `${done}/${spec.completions}`;
  const parallelism = spec.parallelism ?? 0;
  return parallelism > 1 ? `${done}/1 of ${parallelism}` : `${done}/1`;
}

function duration({ status }: Job, now: number): string {
  const { startTime, completionTime } = status;
  if (startTime === undefined || startTime === null) return '';
  return humanDuration(
    (completionTime === undefined || completionTime === null ? now : Date.parse(completionTime)) - Date.parse(startTime),
  );
}

const TYPES = ['Complete', 'Failed', 'Suspended'];

const NUMBER = '(?:0|[1-9][0-9]{0,9})';
const INDEXES = new RegExp(`^${NUMBER}(?:-${NUMBER})?(?:,${NUMBER}(?:-${NUMBER})?)*$`);

/** Checks ascending numbers; three or more consecutive ones are written as first-last, two as two numbers. */
function isIndexList(text: string): boolean {
  if (text === '') return true;
  if (!INDEXES.test(text)) return false;
  let last = -2;
  let row = 0;
  for (const part of text.split(',')) {
    const [first = 0, end = first] = part.split('-').map(Number);
    if (first <= last || (end !== first && end < first + 2)) return false;
    // Consecutive numbers must be a range from three on.
    row = first === last + 1 ? row + (end - first + 1) : end - first + 1;
    if (first === last + 1 && row >= 3) return false;
    last = end;
  }
  return true;
}

export const job = defineKind<Job>({
  categories: ['all'],
  groupPrefix: 'batch',
  schema: jobSchema,
  subresources: ['status'],
  generation: 'spec',
  defaultPropagation: 'Orphan',
  applyDefaults: { reads: ['labels', 'spec'], run: defaultJob },
  prepareForCreate: prepareJob,
  prepareForUpdate: prepareJobUpdate,
  warnings: (object, old, context) =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
  create: [metaErrors, specErrors, hostnameErrors],
  // Upstream validates the whole new Job, then the change, and with it the specification again.
  update: [metaErrors, specErrors, trackingErrors, hostnameErrors, 'changed metadata', changeErrors],
  updateStatus: ['changed metadata', 'status', uncountedErrors],
  fieldSelectors: { 'status.successful': (object) => String(object.status.succeeded ?? 0) },
  fieldSelectorError: (label) => `field label ${JSON.stringify(label)} not supported for Job`,
  columns: [
    'Name',
    ['Completions', 'string', 'Succeeded pods, and the required number.', completions],
    ['Duration', 'string', 'Run time of the Job.', (object, { now }) => duration(object, now)],
    'Age',
    ...templateColumns<Job>(({ spec }) => spec.template),
    selectorColumn<Job>(({ spec }) => spec.selector),
  ],
  models: 'Complete. Upstream: pkg/registry/batch/job/strategy.go, pkg/apis/batch/validation.',
  specification: [
    {
      name: 'job/deadline-is-positive',
      field: 'spec.activeDeadlineSeconds',
      statement: 'activeDeadlineSeconds is positive.',
      recorded: 'accepts 0',
      check: ({ spec }) => (spec.activeDeadlineSeconds === 0 ? [invalid('spec.activeDeadlineSeconds', 0, 'must be greater than 0')] : []),
    },
    {
      name: 'job/deadline-ends-it',
      field: 'spec.activeDeadlineSeconds',
      statement: 'When activeDeadlineSeconds have passed since startTime, the system tries to terminate the Job.',
      place: 'spec.activeDeadlineSeconds; States and transitions',
      recorded: 'missed the deadline in one recording while pods ran, and failed the Job a minute later although its pods had succeeded',
      does: 'the controller terminates the Job at that instant, in either mode',
    },
    {
      name: 'job/condition-states',
      field: 'status.conditions[].type, .status',
      statement: 'A condition has the type Complete, Failed or Suspended, and the status True, False or Unknown.',
      recorded: 'accepts any text',
      check: ({ status }) => conditionErrors(status.conditions, TYPES),
    },
    {
      name: 'job/completion-time-means-success',
      field: 'status.completionTime',
      statement: 'completionTime is set only when the Job finishes successfully.',
      recorded: 'accepts it at any time',
      check: ({ status: { completionTime, conditions } }) =>
        (completionTime ?? null) === null || (conditions ?? []).some(({ type, status }) => type === 'Complete' && status === 'True')
          ? []
          : [forbidden('status.completionTime', 'may be set only with the condition Complete, whose status is True')],
    },
    {
      name: 'job/completed-indexes-format',
      field: 'status.completedIndexes',
      statement:
        'completedIndexes lists decimal numbers in increasing order, separated by commas; three or more consecutive numbers are written first-last.',
      recorded: 'accepts any text',
      check: ({ status: { completedIndexes = '' } }) =>
        isIndexList(completedIndexes)
          ? []
          : [
              invalid(
                'status.completedIndexes',
                completedIndexes,
                "must be growing numbers, three and more in a row as first-last, as in '1,3-5,7'",
              ),
            ],
    },
    oneConditionOfAType('job'),
    {
      name: 'job/resume-resets-the-start',
      field: 'status.startTime',
      statement: 'Suspending a Job resets its startTime.',
      place: 'resource-api.md: States and transitions; Job, status.startTime',
      recorded: 'leaves it until the Job is resumed, and sets it then',
      does: 'interpreted as the row of status.startTime says, in either mode: reset at every resume; no deadline applies while the Job is suspended',
    },
  ],
});
