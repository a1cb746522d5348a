/** PriorityClass: the importance of pods. Models: v1.24 scheduling/v1 PriorityClass, pkg/registry/scheduling/priorityclass. */
import { bool, field, filled, type Infer, int32, obj, ptr, req, str } from '../../schema/shape/index.ts';
import {
  defineKind,
  type FieldError,
  forbidden,
  type KindContext,
  notSupported,
  type ObjectOf,
  required,
  subdomainName,
  typeMeta,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';

const priorityClassSchema = obj('PriorityClass', 'The importance of pods.', {
  ...typeMeta,
  value: field(2, 'Higher values are more important. Cannot be changed.', req(int32)),
  globalDefault: field(3, 'Whether it is the class of pods that name none.', bool),
  description: field(4, 'A text for readers.', str()),
  preemptionPolicy: field(
    5,
    'Never, or PreemptLowerPriority: less important pods may be evicted for a pending one.',
    filled(ptr(str('PreemptionPolicy')), 'PreemptLowerPriority'),
  ),
});
type PriorityClass = ObjectOf<'PriorityClass', Infer<typeof priorityClassSchema>>;

const HIGHEST_OF_USERS = 1_000_000_000;
const SYSTEM: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

function policyErrors({ preemptionPolicy }: PriorityClass): FieldError[] {
  if (preemptionPolicy === '') return [required('preemptionPolicy')];
  return preemptionPolicy === 'PreemptLowerPriority' || preemptionPolicy === 'Never'
    ? []
    : [notSupported('preemptionPolicy', preemptionPolicy, ['PreemptLowerPriority', 'Never'])];
}

function validate(priority: PriorityClass, context: KindContext): FieldError[] {
  const { name } = priority.metadata;
  const errors = validateMeta(priority, false, subdomainName, context);
  if (name.startsWith('system-')) {
    if (SYSTEM.get(name) !== priority.value)
      errors.push(
        forbidden(
          'metadata.name',
          `priority class names with 'system-' prefix are reserved for system use only. error: ${SYSTEM.has(name) ? `value of ${name} PriorityClass must be ${SYSTEM.get(name) ?? 0}` : `${name} is not a known system priority class`}`,
        ),
      );
  } else if (priority.value > HIGHEST_OF_USERS)
    errors.push(forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_OF_USERS}`));
  return [...errors, ...policyErrors(priority)];
}

function validateUpdate(object: PriorityClass, old: PriorityClass, context: KindContext): readonly FieldError[] {
  const errors = validateMetaUpdate(object, old, context);
  if (object.value !== old.value) errors.push(forbidden('value', 'may not be changed in an update.'));
  if (object.preemptionPolicy !== old.preemptionPolicy)
    errors.push({ type: 'Invalid', field: 'preemptionPolicy', value: object.preemptionPolicy, detail: 'field is immutable' });
  return errors;
}

export const priorityClass = defineKind<PriorityClass>({
  plural: 'priorityclasses',
  shortNames: ['pc'],
  groupPrefix: 'scheduling',
  namespaced: false,
  schema: priorityClassSchema,
  generation: 'spec',
  validate,
  validateUpdate,
  columns: [
    'Name',
    ['Value', 'integer', 'Priority of pods of the class.', (object) => object.value],
    ['Global-Default', 'boolean', 'Whether it is the class of pods without one.', (object) => object.globalDefault ?? false],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/scheduling/priorityclass, pkg/apis/scheduling/validation.',
  example: { value: 1000, description: 'd' },
});
