/** The languages of patches, by the media types that name them. */
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
 * The language of a patch: matched as it is written, parameters aside. Custom resources are served by handlers of their own, which say what
 * they take. Models: apiserver pkg/endpoints/handlers/patch.go, apiextensions customresource_handler.go servePatch.
 */
export function patchTypeOf(contentType: string | undefined, { unstructured }: Kind): PatchType {
  const found = own(PATCH_TYPES, (contentType ?? '').split(';')[0]?.trim() ?? '');
  if (unstructured === true && (found === undefined || found === 'strategic')) throw unknownBodyType(CUSTOM_PATCH_TYPES);
  if (found === undefined) throw unknownPatchType();
  return found;
}
