/** The four languages of patches. */
import type { ApiObject } from '../api/object.ts';
import { applyMergePatch } from '../patch/merge-patch.ts';
import { failure } from './errors.ts';
import type { PatchRequest } from './patch-verb.ts';
import type { Resource } from './resource.ts';

/** The stored object with the patch applied, not decoded yet. */
export function patched(_resource: Resource, stored: ApiObject, request: PatchRequest): unknown {
  switch (request.patchType) {
    case 'merge': {
      const result = applyMergePatch(stored, request.body);
      if (result.error !== undefined) throw failure(result.error);
      return result.ok;
    }
    default: throw failure({ code: 415, reason: 'UnsupportedMediaType', message: '415: Unsupported Media Type', details: {} });
  }
}
