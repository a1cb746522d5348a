/** Validation of StatefulSets. Models: v1.24 pkg/apis/apps/validation ValidateStatefulSet, ValidateStatefulSetUpdate. */
import { intOrString } from '../../../schema/shape/index.ts';
import { append, isValidPercent, labelSelectorAsSelection, validateLabels } from '../../../schema/values/index.ts';
import { endlessErrors, mismatchErrors, numberIn, selectorErrors } from '../../machinery/index.ts';
import type { FieldError, KindContext } from '../../objects/index.ts';
import { labelSelector } from '../../structs/index.ts';
import {
  excessErrors,
  facetErrors,
  forbidden,
  invalid,
  required,
  sameValue,
  shown,
  validateAnnotations,
  validatePodAnnotations,
} from '../../validation/index.ts';
import { rollingUpdateSchema, updateStrategy, retentionPolicy, type StatefulSet, type StatefulSetSpec } from './shape.ts';

function selectionErrors({ spec: { selector, template } }: StatefulSet, context: KindContext): FieldError[] {
  const errors = selectorErrors(selector, 'statefulset');
  if (labelSelectorAsSelection(selector).error === undefined) append(errors, templateErrors({ selector, template }, context));
  else errors.push(invalid('spec.selector', selector === undefined ? undefined : shown(selector, labelSelector), ''));
  return [...errors, ...endlessErrors(template, 'StatefulSet')];
}

function strategyErrors({ spec: { updateStrategy: strategy } }: StatefulSet): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const field = 'spec.updateStrategy';
  if (type === '') return [required(field)];
  if (type === 'OnDelete')
    return rollingUpdate === undefined
      ? []
      : [
          invalid(
            `${field}.rollingUpdate`,
            shown(rollingUpdate, rollingUpdateSchema, 'apps'),
            "only allowed for updateStrategy 'RollingUpdate'",
          ),
        ];
  if (type !== 'RollingUpdate') return [invalid(field, shown(strategy, updateStrategy, 'apps'), "must be 'RollingUpdate' or 'OnDelete'")];
  const errors = facetErrors(rollingUpdateSchema, rollingUpdate, `${field}.rollingUpdate`);
  append(errors, maxUnavailableErrors(rollingUpdate?.maxUnavailable, `${field}.rollingUpdate.maxUnavailable`));
  return errors;
}

/** The value must be a positive number, or a percentage from 1 to 100. */
const maxUnavailableErrors = (value: number | string | undefined, field: string): FieldError[] =>
  value === undefined
    ? []
    : [
        ...(numberIn(value) === 0 || (typeof value === 'string' && isValidPercent(value).length > 0)
          ? [invalid(field, shown(value, intOrString), 'cannot be 0')]
          : []),
        ...excessErrors(value, field),
      ];

const retentionErrors = ({ spec }: StatefulSet, { gates }: KindContext): readonly FieldError[] =>
  gates['StatefulSetAutoDeletePVC'] === true
    ? facetErrors(retentionPolicy, spec.persistentVolumeClaimRetentionPolicy, 'spec.persistentVolumeClaimRetentionPolicy')
    : [];

/** Only the parts of the template that the set depends on are validated: its pods are validated when they are created. */
function templateErrors({ selector, template }: Pick<StatefulSetSpec, 'selector' | 'template'>, context: KindContext): FieldError[] {
  const { labels, annotations } = template.metadata;
  return [
    ...mismatchErrors(selector, template),
    ...validateLabels(labels, 'spec.template.labels'),
    ...validateAnnotations(annotations ?? {}, 'spec.template.annotations'),
    ...validatePodAnnotations(annotations, template.spec, 'spec.template.annotations', context),
  ];
}

const CHANGEABLE: ReadonlySet<string> = new Set([
  'replicas',
  'template',
  'updateStrategy',
  'minReadySeconds',
  'persistentVolumeClaimRetentionPolicy',
]);

const unchangeable = (spec: StatefulSetSpec): Record<string, unknown> =>
  Object.fromEntries(Object.entries(spec).filter(([name]) => !CHANGEABLE.has(name)));

export const changeErrors = ({ spec }: StatefulSet, _: KindContext, { spec: before }: StatefulSet): FieldError[] =>
  spec === before || sameValue(unchangeable(spec), unchangeable(before))
    ? []
    : [
        forbidden(
          'spec',
          "updates to statefulset spec for fields other than 'replicas', 'template', 'updateStrategy', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
        ),
      ];

export const CREATED = [
  'metadata',
  'spec.podManagementPolicy',
  strategyErrors,
  retentionErrors,
  'spec.replicas',
  'spec.minReadySeconds',
  selectionErrors,
] as const;
