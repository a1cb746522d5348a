/** DaemonSet: a pod on every node that fits. Models: v1.24 apps/v1 DaemonSet, pkg/registry/apps/daemonset. */
import { always, count32, count64, field, filled, intOrString, mergeList, obj, oneOf, ptr, req, str } from '../../schema/shape/index.ts';
import type { Complete, Infer } from '../../schema/shape/index.ts';
import { append, formatLabelSelector, validateLabelSelector } from '../../schema/values/index.ts';
import {
  collisionErrors,
  defineKind,
  emptySelectorErrors,
  endlessErrors,
  immutableSelector,
  keepSpec,
  keepStatus,
  mismatchErrors,
  numberIn,
  selectorColumn,
  sharedDiskErrors,
  templateColumns,
  workloadHooks,
} from '../machinery/index.ts';
import type { Draft } from '../machinery/index.ts';
import type { ApiObject, FieldError, KindContext } from '../objects/index.ts';
import { conditionReason, conditionType, kindFields, labelSelector, type ObjectOf, podTemplateSpec } from '../structs/index.ts';
import { excessErrors, facetErrors, invalid, notSupported, required, sameValue, shown, validatePodTemplate } from '../validation/index.ts';

/** The default is a rolling update of one node at a time without surge. Missing parameters of other strategies are 0. */
const completeStrategy: Complete = ({ type, rollingUpdate }) => {
  const rolls = type === undefined || type === '' || type === 'RollingUpdate';
  if (!rolls && rollingUpdate === undefined) return undefined;
  const { maxUnavailable, maxSurge } = (rollingUpdate ?? {}) as Readonly<Record<string, unknown>>;
  if (type !== undefined && type !== '' && maxUnavailable !== undefined && maxSurge !== undefined) return undefined;
  return {
    type: rolls ? 'RollingUpdate' : type,
    rollingUpdate: { maxUnavailable: maxUnavailable ?? (rolls ? 1 : 0), maxSurge: maxSurge ?? 0 },
  };
};

/** Always present after `completeStrategy`. */
const strategyName = str('DaemonSetUpdateStrategyType') as { readonly type: 'string'; readonly always: true };

const updateStrategy = obj(
  'DaemonSetUpdateStrategy',
  'How pods of an old template are replaced.',
  {
    type: field(
      1,
      'RollingUpdate: the controller replaces them, some nodes at a time. OnDelete: a pod is replaced after a user has deleted it.',
      oneOf(strategyName, ['OnDelete', 'RollingUpdate']),
    ),
    rollingUpdate: field(
      2,
      'Details of a rolling update.',
      obj('RollingUpdateDaemonSet', 'Details of a rolling update. Exactly one of the two is not 0.', {
        maxUnavailable: field(
          1,
          'The number of nodes that may be without a pod during the update: a number, or a percentage of the suitable nodes (rounded up). 0 when maxSurge is not.',
          ptr(intOrString),
          { format: 'share' },
        ),
        maxSurge: field(
          2,
          'The number of nodes on which a new pod may start beside the old one, which is deleted when the new one is available: a number, or a percentage of the suitable nodes (rounded up).',
          ptr(intOrString),
          { format: 'share', since: 'DaemonSetUpdateSurge' },
        ),
      }),
    ),
  },
  { complete: completeStrategy },
);

const daemonSetSpec = obj('DaemonSetSpec', 'The pods, their nodes, and the update strategy.', {
  selector: field(1, 'The pods of the set; must match the labels of the template and never changes.', {
    ...labelSelector,
    required: true,
  }),
  template: field(
    2,
    'The template of the pods. Its node selector, node affinity and tolerations determine the suitable nodes. When it changes, pods of the old template are replaced.',
    req(podTemplateSpec),
  ),
  updateStrategy: field(3, 'How pods of an old template are replaced.', always(updateStrategy)),
  minReadySeconds: field(4, 'Seconds for which a pod must be ready, without a failing container, to count as available.', count32),
  revisionHistoryLimit: field(6, 'The number of unused old templates that are kept for rollbacks.', filled(ptr(count32), 10)),
});

const daemonSetStatus = obj('DaemonSetStatus', 'The observed state.', {
  currentNumberScheduled: field(1, 'Suitable nodes with a pod.', req(count32), { column: 'Current' }),
  numberMisscheduled: field(2, 'Unsuitable nodes with a pod.', req(count32)),
  desiredNumberScheduled: field(3, 'Suitable nodes.', req(count32), {
    column: ['Desired', 'Suitable nodes, which should have a pod each.'],
  }),
  numberReady: field(4, 'Suitable nodes with a ready pod.', req(count32), { column: 'Ready' }),
  observedGeneration: field(5, 'The latest generation that the controller has processed.', count64),
  updatedNumberScheduled: field(6, 'Suitable nodes with a pod of the current template.', count32, { column: 'Up-to-date' }),
  numberAvailable: field(7, 'Suitable nodes with a pod that has been ready for at least minReadySeconds.', count32, {
    column: 'Available',
  }),
  numberUnavailable: field(8, 'Suitable nodes without an available pod.', count32),
  collisionCount: field(9, "The number of collisions of the hash in a revision's name.", ptr(count32)),
  conditions: field(
    10,
    'Not used by the controller.',
    mergeList(
      obj('DaemonSetCondition', 'A condition of the set.', {
        ...conditionType('no types are defined', 'DaemonSetConditionType'),
        ...conditionReason(3),
      }),
      'type',
    ),
  ),
});
export type DaemonSetStatus = Infer<typeof daemonSetStatus>;

const daemonSetSchema = obj(
  'DaemonSet',
  'Runs a pod on every suitable node: a new node gets a pod, and a removed node loses it.',
  kindFields({ spec: daemonSetSpec, status: daemonSetStatus }),
);
export type DaemonSet = ObjectOf<'DaemonSet', Infer<typeof daemonSetSchema>>;

/** Upstream reports only the consequence of a missing selector: it selects nothing, so the template does not match. */
const templateErrors = ({ spec: { selector, template } }: DaemonSet, context: KindContext): FieldError[] => [
  ...validateLabelSelector(selector, 'spec.selector'),
  ...mismatchErrors(selector, template),
  ...emptySelectorErrors(selector, 'daemonset'),
  ...validatePodTemplate(template, 'spec.template', context),
  ...sharedDiskErrors(template),
  ...endlessErrors(template, 'DaemonSet'),
];

function strategyErrors({ spec: { updateStrategy: strategy } }: DaemonSet): FieldError[] {
  const { type, rollingUpdate } = strategy;
  const field = 'spec.updateStrategy';
  if (type === 'OnDelete') return [];
  if (type !== 'RollingUpdate') return [notSupported(field, shown(strategy, updateStrategy, 'apps'), ['RollingUpdate', 'OnDelete'])];
  if (rollingUpdate === undefined) return [required(`${field}.rollingUpdate`)];
  const { maxUnavailable = 0, maxSurge = 0 } = rollingUpdate;
  const [down, up] = [`${field}.rollingUpdate.maxUnavailable`, `${field}.rollingUpdate.maxSurge`];
  const errors = facetErrors(updateStrategy.fields.rollingUpdate, rollingUpdate, `${field}.rollingUpdate`);
  append(errors, excessErrors(maxUnavailable, down), excessErrors(maxSurge, up));
  const [goes, comes] = [numberIn(maxUnavailable) !== 0, numberIn(maxSurge) !== 0];
  if (goes && comes) errors.push(invalid(up, shown(maxSurge, intOrString), 'may not be set when maxUnavailable is non-zero'));
  if (!goes && !comes) errors.push(required(down, 'cannot be 0 when maxSurge is 0'));
  return errors;
}

const SPEC = [templateErrors, 'spec.minReadySeconds', strategyErrors, 'spec.revisionHistoryLimit'] as const;

const TEMPLATE_GENERATION = 'deprecated.daemonset.template.generation';
const NOTHING_YET = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 } as const;

const templateGeneration = ({ metadata }: ApiObject): number => Number(metadata.annotations?.[TEMPLATE_GENERATION] ?? 0);

function setTemplateGeneration({ metadata }: Draft<DaemonSet>, generation: number): void {
  if (metadata.annotations?.[TEMPLATE_GENERATION] !== String(generation))
    metadata.annotations = { ...metadata.annotations, [TEMPLATE_GENERATION]: String(generation) };
}

function prepareDaemonSet(draft: Draft<DaemonSet>): void {
  draft.status = { ...NOTHING_YET };
  setTemplateGeneration(draft, Math.max(1, templateGeneration(draft)));
}

function countTemplate(draft: Draft<DaemonSet>, old: DaemonSet): void {
  const before = templateGeneration(old);
  setTemplateGeneration(draft, sameValue(draft.spec.template, old.spec.template) ? before : before + 1);
}

const keepTemplateGeneration = (draft: Draft<DaemonSet>, old: DaemonSet): void => setTemplateGeneration(draft, templateGeneration(old));

/** Upstream parses the annotation as a number when it decodes a DaemonSet. */
function unreadableTemplateGeneration({ metadata }: ApiObject): string | undefined {
  const reported = metadata.annotations?.[TEMPLATE_GENERATION];
  return reported === undefined || /^[+-]?\d+$/.test(reported)
    ? undefined
    : `strconv.ParseInt: parsing ${JSON.stringify(reported)}: invalid syntax`;
}

export const daemonSet = defineKind<DaemonSet>({
  shortNames: ['ds'],
  categories: ['all'],
  groupPrefix: 'apps',
  schema: daemonSetSchema,
  subresources: ['status'],
  generation: 'spec',
  prepareForCreate: prepareDaemonSet,
  prepareForUpdate: [keepStatus, countTemplate],
  prepareForStatusUpdate: [keepSpec, keepTemplateGeneration],
  unreadable: unreadableTemplateGeneration,
  warnings: workloadHooks({}).warnings,
  create: ['metadata', ...SPEC],
  // Upstream validates the whole new object, then the change, and with it the specification again.
  update: ['metadata', ...SPEC, 'changed metadata', ...SPEC, immutableSelector],
  updateStatus: ['changed metadata', 'status', collisionErrors],
  columns: [
    'Name',
    'status.desiredNumberScheduled',
    'status.currentNumberScheduled',
    'status.numberReady',
    'status.updatedNumberScheduled',
    'status.numberAvailable',
    [
      'Node Selector',
      'string',
      'Labels that a node must have for a pod of the template.',
      ({ spec }) => formatLabelSelector({ matchLabels: spec.template.spec.nodeSelector ?? {} }),
    ],
    'Age',
    ...templateColumns<DaemonSet>(({ spec }) => spec.template),
    selectorColumn<DaemonSet>(({ spec }) => spec.selector),
  ],
  models: 'Complete. Upstream: pkg/registry/apps/daemonset/strategy.go, pkg/apis/apps/validation.',
});
