/** PriorityClass: the importance of pods. Models: v1.24 scheduling/v1 PriorityClass, pkg/registry/scheduling/priorityclass. */
import { bool, field, filled, type Infer, int32, obj, ptr, req, str } from '../../schema/shape/index.ts';
import { defineKind } from '../machinery/index.ts';
import type { FieldError } from '../objects/index.ts';
import { type ObjectOf, typeMeta } from '../structs/index.ts';
import { forbidden, preemptionErrors } from '../validation/index.ts';

const priorityClassSchema = obj('PriorityClass', 'The importance of pods.', {
  ...typeMeta,
  value: field(2, 'Higher values are more important. Cannot be changed.', req(int32), {
    fixed: { words: 'may not be changed in an update.' },
    column: ['Value', 'Priority of pods of the class.'],
  }),
  globalDefault: field(3, 'Whether it is the class of pods that name none.', bool, {
    column: ['Global-Default', 'Whether it is the class of pods without one.'],
  }),
  description: field(4, 'A text for readers.', str()),
  preemptionPolicy: field(
    5,
    'Never, or PreemptLowerPriority: less important pods may be evicted for a pending one.',
    filled(ptr(str('PreemptionPolicy')), 'PreemptLowerPriority'),
    { fixed: true },
  ),
});
type PriorityClass = ObjectOf<'PriorityClass', Infer<typeof priorityClassSchema>>;

const HIGHEST_OF_USERS = 1_000_000_000;
const SYSTEM: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

const policyErrors = ({ preemptionPolicy }: PriorityClass): FieldError[] => preemptionErrors(preemptionPolicy, 'preemptionPolicy');

function valueErrors({ metadata: { name }, value }: PriorityClass): FieldError[] {
  if (!name.startsWith('system-'))
    return value > HIGHEST_OF_USERS ? [forbidden('value', `maximum allowed value of a user defined priority is ${HIGHEST_OF_USERS}`)] : [];
  const wanted = SYSTEM.get(name);
  if (wanted === value) return [];
  const why = wanted === undefined ? `${name} is not a known system priority class` : `value of ${name} PriorityClass must be ${wanted}`;
  return [forbidden('metadata.name', `priority class names with 'system-' prefix are reserved for system use only. error: ${why}`)];
}

export const priorityClass = defineKind<PriorityClass>({
  plural: 'priorityclasses',
  shortNames: ['pc'],
  groupPrefix: 'scheduling',
  namespaced: false,
  schema: priorityClassSchema,
  generation: 'spec',
  create: ['metadata', valueErrors, policyErrors],
  update: ['changed metadata', 'fixed'],
  models: 'Complete. Upstream: pkg/registry/scheduling/priorityclass, pkg/apis/scheduling/validation.',
});
