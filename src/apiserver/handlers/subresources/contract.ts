/** A sub-resource with a form of its own: what it reads as, and what writing it does. `status` needs none: it is the object itself. */
import type { ApiObject } from '../../machinery/index.ts';
import type { Schema } from '../../../schema/shape/index.ts';
import type { ApiRequest, ApiResponse, Resource } from '../../request/index.ts';
import type { Scope } from '../request-scope.ts';

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
  /** The shape of its form, where patches need it. */
  readonly schema?: Schema;
  get?(scope: Scope, stored: ApiObject): ApiObject;
  create?(scope: Scope, write: SubresourceWrite): ApiResponse;
  update?(scope: Scope, write: SubresourceWrite): ApiResponse;
}
