/** The contract of a sub-resource with a form of its own: how it is read and written. `status` needs none: its form is the object. */
import type { Form } from '../../admission/index.ts';
import type { ApiObject, Names } from '../../machinery/index.ts';
import { field, obj, type Schema, str, time } from '../../../schema/shape/index.ts';
import type { ApiResponse, Resource } from '../../request/index.ts';
import type { Place, Scope } from '../../write/index.ts';

export interface Subresource {
  /** The schema of its form, for patches. */
  readonly schema?: Schema;
  /** The kind of its form in reviews by webhooks; absent: that of the object. */
  form?(names: Names, sent: Partial<ApiObject>): Form;
  get?(scope: Scope, stored: ApiObject, resource: Resource): ApiObject;
  create?(scope: Scope, place: Place, stored: ApiObject): ApiResponse;
  update?(scope: Scope, place: Place, stored: ApiObject): ApiResponse;
}

/** The metadata of such a form. */
export const smallMetadata = obj('ObjectMeta', {
  name: field(1, str()),
  namespace: field(3, str()),
  uid: field(5, str('types.UID')),
  resourceVersion: field(6, str()),
  creationTimestamp: field(8, time),
});

export const CREATED: ApiResponse = {
  ok: true,
  code: 201,
  success: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 },
};
