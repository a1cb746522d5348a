/** ControllerRevision: an immutable snapshot of a template. Models: v1.24 apps/v1 ControllerRevision, pkg/registry/apps/controllerrevision. */
import { always, any, int64, obj, req, type Infer } from '../../schema/index.ts';
import { GoText } from '../../values/index.ts';
import { ageColumn, nameColumn } from '../columns.ts';
import { defineKind } from '../define-kind.ts';
import { controllerOf } from '../object.ts';
import { typeMeta, type ObjectOf } from '../shapes/meta.ts';
import type { FieldError } from '../status.ts';
import { required, invalid } from '../validation/field-errors.ts';
import { sameValue } from '../validation/same-value.ts';
import { immutableText, subdomainName, validateMeta, validateMetaUpdate } from '../validation/object-meta.ts';

export const controllerRevisionSchema = obj('ControllerRevision', { ...typeMeta, data: always(any), revision: req(int64) });
export type ControllerRevision = ObjectOf<'ControllerRevision', Infer<typeof controllerRevisionSchema>>;

function fieldErrors({ data, revision }: ControllerRevision): FieldError[] {
  const errors: FieldError[] = [];
  if (data === undefined || data === null) errors.push(required('data', 'data is mandatory'));
  if (revision < 0) errors.push(invalid('revision', revision, 'must be greater than or equal to 0'));
  return errors;
}

/** Any JSON as Go prints what it keeps of it: its bytes. */
function shownRaw(data: unknown): GoText {
  const bytes = [...new TextEncoder().encode(JSON.stringify(data))].map((byte) => `0x${byte.toString(16)}`).join(', ');
  return new GoText(`runtime.RawExtension{Raw:[]uint8{${bytes}}, Object:runtime.Object(nil)}`);
}

export const controllerRevision = defineKind<ControllerRevision>({
  kind: 'ControllerRevision',
  plural: 'controllerrevisions',
  groupPrefix: 'apps',
  version: 'v1',
  namespaced: true,
  schema: controllerRevisionSchema,
  validateName: subdomainName,
  validate: (object, context) => [...validateMeta(object, true, subdomainName, context), ...fieldErrors(object)],
  validateUpdate(object, old, context) {
    const errors = [...validateMetaUpdate(object, old, context), ...validateMeta(object, true, subdomainName, context), ...fieldErrors(object)];
    if (!sameValue(object['data'], old['data'])) errors.push(invalid('data', shownRaw(object['data']), immutableText));
    return errors;
  },
  columns: [
    nameColumn,
    {
      name: 'Controller', type: 'string', description: 'Controller of the object', priority: 0,
      cell(object) {
        const owner = controllerOf(object);
        if (owner === undefined) return '<none>';
        const group = owner.apiVersion.includes('/') ? owner.apiVersion.slice(0, owner.apiVersion.indexOf('/')) : '';
        return `${owner.kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${owner.name}`;
      },
    },
    { name: 'Revision', type: 'string', description: 'Revision number', priority: 0, cell: (object) => object.revision },
    ageColumn,
  ],
  models: 'Complete. Upstream: pkg/registry/apps/controllerrevision, pkg/apis/apps/validation.',
});
