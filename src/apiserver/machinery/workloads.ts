/**
 * What workloads share: the validation of selector and template, shares of pods and the counts of a status; hooks and columns of kinds with a
 * template. Models: v1.24 pkg/apis/apps/validation, pkg/registry/apps.
 */
import { append, formatLabelSelector, isValidPercent, labelSelectorAsSelection, validateLabelSelector } from '../../schema/values/index.ts';
import type { LabelSelector } from '../../schema/values/index.ts';
import { type Draft, keepStatus } from './hooks.ts';
import type { Cell } from './define-kind.ts';
import type { ApiObject, FieldError, KindContext } from '../objects/index.ts';
import { labelSelector, objectMeta, type PodTemplateSpec } from '../structs/index.ts';
import {
  forbidden,
  immutableText,
  invalid,
  notSupported,
  required,
  sameValue,
  shown,
  shownField,
  templateWarnings,
  validatePodTemplate,
} from '../validation/index.ts';

interface Replicated {
  readonly spec: { readonly replicas: number; readonly selector?: LabelSelector; readonly template: PodTemplateSpec };
}

/** Returns the errors of selector and template. The texts name a Deployment and a ReplicaSet for either kind, as upstream's do. */
export function replicatedTemplateErrors({ spec }: Replicated, context: KindContext): FieldError[] {
  const { selector, template } = spec;
  const errors = selectorErrors(selector, 'deployment');
  const selection = labelSelectorAsSelection(selector);
  if (selection.error !== undefined) return [...errors, invalid('spec.selector', shownSelector(selector), 'invalid label selector')];
  append(errors, mismatchErrors(selector, template), validatePodTemplate(template, 'spec.template', context));
  if (spec.replicas > 1) append(errors, sharedDiskErrors(template));
  return [...errors, ...endlessErrors(template, 'ReplicaSet')];
}

const shownSelector = (selector: LabelSelector | undefined): unknown =>
  selector === undefined ? undefined : shown(selector, labelSelector);

/** Returns the errors of a selector that must be there, and select something. */
export const selectorErrors = (selector: LabelSelector | undefined, kind: string): FieldError[] =>
  selector === undefined
    ? [required('spec.selector')]
    : [...validateLabelSelector(selector, 'spec.selector'), ...emptySelectorErrors(selector, kind)];

export const emptySelectorErrors = (selector: LabelSelector | undefined, kind: string): FieldError[] =>
  selector === undefined || Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length > 0
    ? []
    : [invalid('spec.selector', shownSelector(selector), `empty selector is invalid for ${kind}`)];

/** Returns the error of a template whose labels a valid selector does not select. */
export function mismatchErrors(selector: LabelSelector | undefined, { metadata }: PodTemplateSpec): FieldError[] {
  const selection = labelSelectorAsSelection(selector);
  return selection.error !== undefined || selection.value.matches(metadata.labels)
    ? []
    : [
        invalid(
          'spec.template.metadata.labels',
          shownField(metadata, 'labels', objectMeta.fields.labels),
          '`selector` does not match template `labels`',
        ),
      ];
}

/** Returns the errors of a template whose pods would end. */
export function endlessErrors({ spec: { restartPolicy, activeDeadlineSeconds } }: PodTemplateSpec, kind: string): FieldError[] {
  const errors = restartPolicy === 'Always' ? [] : [notSupported('spec.template.spec.restartPolicy', restartPolicy, ['Always'])];
  if (activeDeadlineSeconds !== undefined)
    errors.push(forbidden('spec.template.spec.activeDeadlineSeconds', `activeDeadlineSeconds in ${kind} is not Supported`));
  return errors;
}

/** A disk that several machines mount must be read-only. */
export function sharedDiskErrors({ spec: { volumes = [] } }: PodTemplateSpec): FieldError[] {
  return volumes.flatMap(({ gcePersistentDisk }, at) =>
    gcePersistentDisk === undefined || gcePersistentDisk.readOnly === true
      ? []
      : [
          invalid(
            `spec.template.spec.volumes[${at}].gcePersistentDisk.readOnly`,
            false,
            'must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only',
          ),
        ],
  );
}

type Selecting = { readonly spec: { readonly selector?: LabelSelector } };

export const immutableSelector = ({ spec: { selector } }: Selecting, _: KindContext, { spec: before }: Selecting): FieldError[] =>
  sameValue(selector, before.selector) ? [] : [invalid('spec.selector', shownSelector(selector), immutableText)];

/** Returns the number, or the percentage as a number; any other text counts as the number that Go parses from it. */
export function numberIn(value: number | string): number {
  if (typeof value === 'number') return value;
  if (isValidPercent(value).length === 0) return Number(value.slice(0, -1));
  return /^[+-]?\d+$/.test(value) ? Number(value) : 0;
}

type Counts<K extends string> = Readonly<Partial<Record<K | 'replicas' | 'readyReplicas' | 'availableReplicas', number>>>;

/** Returns the check of the counts of a status: `parts` do not exceed the replicas, and available pods are ready. */
export const partErrors =
  <K extends string>(...parts: readonly K[]) =>
  ({ status }: { readonly status: Counts<K> }): FieldError[] => {
    const errors: FieldError[] = [];
    for (const name of parts)
      if ((status[name] ?? 0) > (status.replicas ?? 0))
        errors.push(invalid(`status.${name}`, status[name] ?? 0, 'cannot be greater than status.replicas'));
    if ((status.availableReplicas ?? 0) > (status.readyReplicas ?? 0))
      errors.push(invalid('status.availableReplicas', status.availableReplicas, 'cannot be greater than readyReplicas'));
    return errors;
  };

type Colliding = { readonly status: { readonly collisionCount?: number } };

/** Returns the error of a count of collisions that falls. */
export const collisionErrors = ({ status: { collisionCount } }: Colliding, _: KindContext, { status: before }: Colliding): FieldError[] =>
  before.collisionCount !== undefined && (collisionCount ?? -1) < before.collisionCount
    ? [invalid('status.collisionCount', collisionCount ?? 0, 'cannot be decremented')]
    : [];

interface Workload extends ApiObject {
  readonly spec: { readonly template: PodTemplateSpec };
}

/** Returns the hooks: a new object has the given status. */
export const workloadHooks = (status: Readonly<Record<string, unknown>>) => ({
  prepareForCreate(draft: Draft): void {
    draft['status'] = { ...status };
  },
  prepareForUpdate: keepStatus,
  warnings: (object: Workload, old: Workload | undefined, context: KindContext): readonly string[] =>
    templateWarnings(object.spec.template, object.metadata.generation !== old?.metadata.generation, 'spec.template', context),
});

/** Returns columns with the names and images of the containers in the template that `of` returns. */
export const templateColumns = <T extends ApiObject>(of: (object: T) => PodTemplateSpec): readonly Cell<T>[] => {
  const joined = (object: T, name: 'name' | 'image'): string => (of(object).spec.containers ?? []).map((one) => one[name] ?? '').join(',');
  return [
    ['Containers', 'string', 'Names of the containers in the template.', (object) => joined(object, 'name'), 'wide'],
    ['Images', 'string', 'Images of the containers in the template.', (object) => joined(object, 'image'), 'wide'],
  ];
};

/** Returns a column with the selector that `of` returns, in kubectl's form. */
export const selectorColumn = <T extends ApiObject>(of: (object: T) => LabelSelector | undefined): Cell<T> => [
  'Selector',
  'string',
  'Selector of the pods.',
  (object) => formatLabelSelector(of(object)),
  'wide',
];
