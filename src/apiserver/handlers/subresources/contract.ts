/**
 * The contract of a sub-resource with a form of its own: how it is read and written. `status` needs none, because its form is the object.
 */
import type { ApiObject } from '../../machinery/index.ts';
import type { Schema } from '../../../schema/shape/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../../request/index.ts';
import type { Scope } from '../../write/index.ts';

export interface SubresourceWrite {
  readonly resource: Resource;
  readonly stored: ApiObject;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly body: unknown;
  readonly dryRun: boolean;
  readonly request: ApiRequest;
}

export interface Subresource {
  /** The schema of its form, for patches. */
  readonly schema?: Schema;
  get?(scope: Scope, stored: ApiObject): ApiObject;
  create?(scope: Scope, write: SubresourceWrite): ApiResponse;
  update?(scope: Scope, write: SubresourceWrite): ApiResponse;
}
