/** Validation of Jobs. Models: v1.24 pkg/apis/batch/validation, pkg/registry/batch/job/strategy.go. */
import {
  append,
  isDns1123Label,
  labelMatcher,
  labelSelectorAsSelection,
  repeats,
  validateLabelSelector,
} from '../../../schema/values/index.ts';
import {
  duplicate,
  type FieldError,
  facetErrors,
  mismatchErrors,
  forbidden,
  immutableText,
  invalid,
  type KindContext,
  notSupported,
  type PodTemplateSpec,
  required,
  sameValue,
  shown,
  subdomainName,
  validateMeta,
  validateMetaUpdate,
  validatePodTemplate,
  objectMeta,
  labelSelector,
  podTemplateSpec,
} from '../../machinery/index.ts';
import { bareJobSpec, type BareJobSpec, type Job, type JobSpec, jobStatus } from './shape.ts';

const MAX_INDEXED_PARALLELISM = 100_000;

export const validateJob = (job: Job, context: KindContext): readonly FieldError[] => stateErrors(job, context, true);

/** `mayTrack`: whether the annotation for tracking with finalizers is allowed. */
function stateErrors(job: Job, context: KindContext, mayTrack: boolean): FieldError[] {
  const errors = validateMeta(
    hasOnlyGeneratedLabels(job) ? { metadata: { ...job.metadata, labels: {} } } : job,
    true,
    subdomainName,
    context,
  );
  append(errors, generatedSelectorErrors(job), validateJobSpec(job.spec, 'spec', context));
  const tracking = context.names.key('batch', 'job-tracking');
  if (!mayTrack && job.metadata.annotations?.[tracking] !== undefined)
    errors.push(forbidden(`metadata.annotations[${tracking}]`, 'cannot add this annotation'));
  const { completionMode, completions } = job.spec;
  if (completionMode === 'Indexed' && completions !== undefined && completions > 0) {
    const hostname = `${job.metadata.name}-${completions - 1}`;
    if (isDns1123Label(hostname).length > 0)
      errors.push(invalid('metadata.name', job.metadata.name, `will not able to create pod with invalid DNS label: ${hostname}`));
  }
  return errors;
}

/** Upstream copies generated template labels to the Job only when it applies defaults again after storing; they are not validated there. */
function hasOnlyGeneratedLabels({ metadata, spec }: Job): boolean {
  const labels = metadata.labels;
  if (labels === undefined || labels !== spec.template.metadata.labels) return false;
  return Object.keys(labels).every((key) => key === 'controller-uid' || key === 'job-name');
}

/** A generated selector must contain the Job's uid, and the template must have its labels. */
function generatedSelectorErrors({ metadata, spec }: Job): FieldError[] {
  if (spec.manualSelector === true || spec.selector === undefined) return [];
  const errors: FieldError[] = [];
  const labels = spec.template.metadata.labels ?? {};
  const expected = { 'controller-uid': metadata.uid, 'job-name': metadata.name };
  for (const key of ['controller-uid', 'job-name'] as const) {
    const value = expected[key];
    if (labels[key] === value) continue;
    const field = `spec.template.metadata.labels[${key}]`;
    if (labels[key] === undefined) errors.push(required(field, `must be '${value}'`));
    else errors.push(invalid(field, shown(labels, objectMeta.fields.labels), `must be '${value}'`));
  }
  if (labelMatcher(spec.selector)(expected)) return errors;
  const selection = labelSelectorAsSelection(spec.selector);
  if (selection.error === undefined && !selection.value.matches(expected))
    errors.push(invalid('spec.selector', shown(spec.selector, labelSelector), '`selector` not auto-generated'));
  return errors;
}

function validateJobSpec(spec: JobSpec, field: string, context: KindContext): FieldError[] {
  const errors = validateUnselectedJobSpec(spec, field, context);
  if (spec.selector === undefined) errors.push(required(`${field}.selector`));
  else append(errors, validateLabelSelector(spec.selector, `${field}.selector`));
  if (labelMatcher(spec.selector)(spec.template.metadata.labels)) return errors;
  return [...errors, ...mismatchErrors(spec.selector, spec.template, `${field}.template`)];
}

/** Validates everything but the selector, which a Job template in a CronJob does not have. */
export function validateUnselectedJobSpec(spec: BareJobSpec, field: string, context: KindContext): FieldError[] {
  const errors = facetErrors(bareJobSpec, spec, field);
  if (spec.completionMode === 'Indexed') {
    if (spec.completions === undefined) errors.push(required(`${field}.completions`, 'when completion mode is Indexed'));
    if (spec.parallelism !== undefined && spec.parallelism > MAX_INDEXED_PARALLELISM)
      errors.push(
        invalid(
          `${field}.parallelism`,
          spec.parallelism,
          `must be less than or equal to ${MAX_INDEXED_PARALLELISM} when completion mode is Indexed`,
        ),
      );
  }
  append(errors, validatePodTemplate(spec.template, `${field}.template`, context));
  const policy = spec.template.spec.restartPolicy;
  if (policy === 'Always') errors.push(required(`${field}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never')
    errors.push(notSupported(`${field}.template.spec.restartPolicy`, policy, ['OnFailure', 'Never']));
  return errors;
}

export function validateJobUpdate(job: Job, before: Job, context: KindContext): readonly FieldError[] {
  // Upstream validates the whole new Job, then the change, and with it the specification again.
  const errors = [
    ...stateErrors(job, context, before.metadata.annotations?.[context.names.key('batch', 'job-tracking')] !== undefined),
    ...validateMetaUpdate(job, before, context),
  ];
  if (job.spec === before.spec) return errors;
  append(errors, validateJobSpec(job.spec, 'spec', context));
  if (job.spec.completions !== before.spec.completions) errors.push(invalid('spec.completions', job.spec.completions, immutableText));
  if (!sameValue(job.spec.selector, before.spec.selector))
    errors.push(
      invalid('spec.selector', job.spec.selector === undefined ? undefined : shown(job.spec.selector, labelSelector), immutableText),
    );
  if (!sameValue(job.spec.template, templateToMatch(job, before, context)))
    errors.push(invalid('spec.template', shown(job.spec.template, podTemplateSpec), immutableText));
  if (job.spec.completionMode !== before.spec.completionMode)
    errors.push(invalid('spec.completionMode', job.spec.completionMode, immutableText));
  return errors;
}

/**
 * Returns the template that the new one must equal: the stored one. While the Job is suspended and has never started, and if the gate is
 * on, it has the scheduling directives of the new one.
 */
function templateToMatch(job: Job, before: Job, { gates }: KindContext): PodTemplateSpec {
  const old = before.spec.template;
  if (gates['JobMutableNodeSchedulingDirectives'] === false) return old;
  if (!before.spec.suspend || (before.status.startTime ?? null) !== null) return old;
  const now = job.spec.template;
  return definedOnly({
    ...old,
    metadata: definedOnly({ ...old.metadata, labels: now.metadata.labels, annotations: now.metadata.annotations }),
    spec: definedOnly({
      ...old.spec,
      affinity: affinityToMatch(now.spec.affinity, old.spec.affinity),
      nodeSelector: now.spec.nodeSelector,
      tolerations: now.spec.tolerations,
    }),
  }) as PodTemplateSpec;
}

type Affinity = PodTemplateSpec['spec']['affinity'];

/** Only the node affinity may change. */
function affinityToMatch(now: Affinity, old: Affinity): Affinity {
  const rest = definedOnly({ ...old, nodeAffinity: now?.nodeAffinity });
  return now === undefined && Object.keys(rest).length === 0 ? undefined : rest;
}

const definedOnly = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));

export function validateJobStatusUpdate(object: Job, old: Job, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(object, old, context);
  append(errors, facetErrors(jobStatus, object.status, 'status'));
  const { uncountedTerminatedPods } = object.status;
  // Members taken from the stored object by reference were validated when they were written.
  if (uncountedTerminatedPods !== undefined && uncountedTerminatedPods !== old.status.uncountedTerminatedPods)
    uncountedErrors(uncountedTerminatedPods, errors);
  return errors;
}

/** Each pod may be listed once. At each write there may be as many as the Job's parallelism, so valid ones allocate nothing. */
function uncountedErrors(uncounted: NonNullable<Job['status']['uncountedTerminatedPods']>, errors: FieldError[]): void {
  const seenBefore = repeats<string>();
  for (const list of ['succeeded', 'failed'] as const) {
    const uids = uncounted[list] ?? NO_UIDS;
    for (let at = 0; at < uids.length; at++) {
      const uid = uids[at] ?? '';
      const again = seenBefore(uid);
      if (uid !== '' && !again) continue;
      const field = `status.uncountedTerminatedPods.${list}[${at}]`;
      errors.push(uid === '' ? invalid(field, uid, 'must not be empty') : duplicate(field, uid));
    }
  }
}

const NO_UIDS: readonly string[] = [];
