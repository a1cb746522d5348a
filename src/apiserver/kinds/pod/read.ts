/** Decodes a pod from a file as the server would, with the defaults of its schema. */
import { decode, DecodeError } from '../../../schema/shape/index.ts';
import type { Names } from '../../objects/index.ts';
import { kindsFor } from '../registry.ts';
import type { Pod } from './shape.ts';

/** Returns the pod, or what is wrong with it. Models: v1.24 pkg/kubelet/config common.go tryDecodeSinglePod, without its validation. */
export function readPod(document: object, names: Names): { readonly pod: Pod } | { readonly problem: string } {
  const schema = kindsFor(names).byKind('Pod')?.schema;
  if (schema === undefined) return { problem: 'there is no kind Pod' };
  try {
    return { pod: decode(schema, { status: {}, ...document }) as Pod };
  } catch (error) {
    if (error instanceof DecodeError) return { problem: error.message };
    throw error;
  }
}
