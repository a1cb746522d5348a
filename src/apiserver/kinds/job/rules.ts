/** Validation of Jobs. Models: v1.24 pkg/apis/batch/validation, pkg/registry/batch/job/strategy.go. */
import {
  append,
  isDns1123Label,
  labelMatcher,
  labelSelectorAsSelection,
  repeats,
  validateLabelSelector,
} from '../../../schema/values/index.ts';
import { mismatchErrors } from '../../machinery/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import { labelSelector, objectMeta, type PodTemplateSpec, podTemplateSpec } from '../../structs/index.ts';
import {
  duplicate,
  facetErrors,
  forbidden,
  immutableText,
  invalid,
  notSupported,
  required,
  sameValue,
  shown,
  subdomainName,
  validateMeta,
  validatePodTemplate,
} from '../../validation/index.ts';
import { bareJobSpec, type BareJobSpec, type Job, type JobSpec } from './shape.ts';

const MAX_INDEXED_PARALLELISM = 100_000;

/** Generated labels are not judged. */
export function metaErrors(job: Job, context: KindContext): FieldError[] {
  const judged = hasOnlyGeneratedLabels(job) ? { metadata: { ...job.metadata, labels: {} } } : job;
  return validateMeta(judged, true, subdomainName, context);
}

export const specErrors = (job: Job, context: KindContext): FieldError[] => [
  ...generatedSelectorErrors(job),
  ...validateJobSpec(job.spec, context),
];

/** The annotation for tracking with finalizers cannot be added. */
export function trackingErrors({ metadata }: Job, { names }: KindContext, { metadata: before }: Job): FieldError[] {
  const tracking = names.key('batch', 'job-tracking');
  return metadata.annotations?.[tracking] === undefined || before.annotations?.[tracking] !== undefined
    ? []
    : [forbidden(`metadata.annotations[${tracking}]`, 'cannot add this annotation')];
}

export function hostnameErrors({ metadata: { name }, spec: { completionMode, completions = 0 } }: Job): FieldError[] {
  if (completionMode !== 'Indexed' || completions <= 0) return [];
  const hostname = `${name}-${completions - 1}`;
  return isDns1123Label(hostname).length > 0
    ? [invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${hostname}`)]
    : [];
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

function validateJobSpec(spec: JobSpec, context: KindContext): FieldError[] {
  const errors = validateUnselectedJobSpec(spec, 'spec', context);
  append(errors, spec.selector === undefined ? [required('spec.selector')] : validateLabelSelector(spec.selector, 'spec.selector'));
  if (labelMatcher(spec.selector)(spec.template.metadata.labels)) return errors;
  return [...errors, ...mismatchErrors(spec.selector, spec.template)];
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

/** Upstream judges the specification of a changed Job again. */
export function changeErrors(job: Job, context: KindContext, before: Job): FieldError[] {
  if (job.spec === before.spec) return [];
  const { completions, selector, template, completionMode } = job.spec;
  const errors = validateJobSpec(job.spec, context);
  const fixed = (name: keyof JobSpec, isSame: boolean, value: unknown): void => {
    if (!isSame) errors.push(invalid(`spec.${name}`, value, immutableText));
  };
  fixed('completions', completions === before.spec.completions, completions);
  fixed('selector', sameValue(selector, before.spec.selector), selector === undefined ? undefined : shown(selector, labelSelector));
  if (!sameValue(template, templateToMatch(job, before, context))) fixed('template', false, shown(template, podTemplateSpec));
  fixed('completionMode', completionMode === before.spec.completionMode, completionMode);
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

/** Members taken from the stored object by reference were validated when they were written. */
export function uncountedErrors({ status: { uncountedTerminatedPods: now } }: Job, _: KindContext, { status: before }: Job): FieldError[] {
  const errors: FieldError[] = [];
  if (now !== undefined && now !== before.uncountedTerminatedPods) judgeUncounted(now, errors);
  return errors;
}

/** Each pod may be listed once. At each write there may be as many as the Job's parallelism, so valid ones allocate nothing. */
function judgeUncounted(uncounted: NonNullable<Job['status']['uncountedTerminatedPods']>, errors: FieldError[]): void {
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
