/**
 * ControllerRevision: an immutable snapshot of a template. Models: v1.24 apps/v1 ControllerRevision, pkg/registry/apps/controllerrevision.
 */
import { always, any, field, type Infer, int64, obj, req } from '../../schema/shape/index.ts';
import { GoText } from '../../schema/values/index.ts';
import {
  controllerOf,
  defineKind,
  type FieldError,
  immutableText,
  invalid,
  type ObjectOf,
  required,
  sameValue,
  subdomainName,
  typeMeta,
  validateMeta,
  validateMetaUpdate,
} from '../machinery/index.ts';

const controllerRevisionSchema = obj('ControllerRevision', 'A recorded template, for rollbacks of StatefulSets and DaemonSets.', {
  ...typeMeta,
  data: field(2, 'The template, as a patch.', always(any)),
  revision: field(3, 'Its number; the highest is the current one. A rollback gives an old revision a new number.', req(int64)),
});
export type ControllerRevision = ObjectOf<'ControllerRevision', Infer<typeof controllerRevisionSchema>>;

function fieldErrors({ data, revision }: ControllerRevision): FieldError[] {
  const errors: FieldError[] = [];
  if (data === undefined || data === null) errors.push(required('data', 'data is mandatory'));
  if (revision < 0) errors.push(invalid('revision', revision, 'must be greater than or equal to 0'));
  return errors;
}

/** Prints any JSON as Go prints the raw bytes that it keeps. */
function shownRaw(data: unknown): GoText {
  const bytes = [...new TextEncoder().encode(JSON.stringify(data))].map((byte) => `0x${byte.toString(16)}`).join(', ');
  return new GoText(`runtime.RawExtension{Raw:[]uint8{${bytes}}, Object:runtime.Object(nil)}`);
}

export const controllerRevision = defineKind<ControllerRevision>({
  groupPrefix: 'apps',
  schema: controllerRevisionSchema,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object)],
  validateUpdate(object, old, context) {
    const errors = [
      ...validateMetaUpdate(object, old, context),
      ...validateMeta(object, true, subdomainName, context),
      ...fieldErrors(object),
    ];
    if (!sameValue(object['data'], old['data'])) errors.push(invalid('data', shownRaw(object['data']), immutableText));
    return errors;
  },
  columns: [
    'Name',
    [
      'Controller',
      'string',
      'Object of the revision.',
      (object) => {
        const owner = controllerOf(object);
        if (owner === undefined) return '<none>';
        const group = owner.apiVersion.includes('/') ? owner.apiVersion.slice(0, owner.apiVersion.indexOf('/')) : '';
        return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`;
      },
    ],
    ['Revision', 'string', 'Number of the revision, from 1.', (object) => object.revision],
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/apps/controllerrevision, pkg/apis/apps/validation.',
  example: { revision: 1, data: { spec: { a: 1 } } },
});
