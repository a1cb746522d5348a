/**
 * ControllerRevision: an immutable snapshot of a template. Models: v1.24 apps/v1 ControllerRevision, pkg/registry/apps/controllerrevision.
 */
import { always, any, count64, field, type Infer, obj, req } from '../../schema/shape/index.ts';
import { GoText } from '../../schema/values/index.ts';
import { defineKind } from '../machinery/index.ts';
import { controllerOf, type FieldError } from '../objects/index.ts';
import { type ObjectOf, typeMeta } from '../structs/index.ts';
import { immutableText, invalid, required, sameValue } from '../validation/index.ts';

const controllerRevisionSchema = obj('ControllerRevision', 'A recorded template, for rollbacks of StatefulSets and DaemonSets.', {
  ...typeMeta,
  data: field(2, 'The template, as a patch.', always(any)),
  revision: field(3, 'Its number; the highest is the current one. A rollback gives an old revision a new number.', req(count64), {
    column: ['Revision', 'Number of the revision, from 1.', 'string'],
  }),
});
export type ControllerRevision = ObjectOf<'ControllerRevision', Infer<typeof controllerRevisionSchema>>;

const dataErrors = ({ data }: ControllerRevision): FieldError[] =>
  data === undefined || data === null ? [required('data', 'data is mandatory')] : [];

/** Prints any JSON as Go prints the raw bytes that it keeps. */
function shownRaw(data: unknown): GoText {
  const bytes = [...new TextEncoder().encode(JSON.stringify(data))].map((byte) => `0x${byte.toString(16)}`).join(', ');
  return new GoText(`runtime.RawExtension{Raw:[]uint8{${bytes}}, Object:runtime.Object(nil)}`);
}

export const controllerRevision = defineKind<ControllerRevision>({
  groupPrefix: 'apps',
  schema: controllerRevisionSchema,
  create: ['metadata', dataErrors, 'revision'],
  update: [
    'changed metadata',
    'metadata',
    dataErrors,
    'revision',
    ({ data }, _, before) => (sameValue(data, before.data) ? [] : [invalid('data', shownRaw(data), immutableText)]),
  ],
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
    'Age',
  ],
  models: 'Complete. Upstream: pkg/registry/apps/controllerrevision, pkg/apis/apps/validation.',
});
