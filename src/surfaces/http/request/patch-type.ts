/** The patch types, by media type. */
import type { Kind } from '../../../apiserver/machinery/index.ts';
import { own } from '../../../schema/values/index.ts';
import { unknownBodyType, unknownPatchType } from '../refusals.ts';

export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const PATCH_TYPES: Readonly<Record<string, PatchType>> = {
  'application/json-patch+json': 'json',
  'application/merge-patch+json': 'merge',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
};

const CUSTOM_PATCH_TYPES = Object.keys(PATCH_TYPES).filter((type) => PATCH_TYPES[type] !== 'strategic');

/**
 * Returns the type of a patch. The media type is matched exactly, without its parameters. Custom resources have their own handlers
 * upstream, with their own list of types. Models: apiserver pkg/endpoints/handlers/patch.go, apiextensions customresource_handler.go
 * servePatch.
 */
export function patchTypeOf(contentType: string | undefined, { unstructured }: Kind): PatchType {
  const found = own(PATCH_TYPES, (contentType ?? '').split(';')[0]?.trim() ?? '');
  if (unstructured === true && (found === undefined || found === 'strategic')) throw unknownBodyType(CUSTOM_PATCH_TYPES);
  if (found === undefined) throw unknownPatchType();
  return found;
}
