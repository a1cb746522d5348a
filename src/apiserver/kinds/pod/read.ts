/** Decodes a pod from a file as the server would, with the defaults of its schema. */
import { decode, DecodeError } from '../../../schema/shape/index.ts';
import { type Pod, podSchema } from './shape.ts';

/** Returns the pod; undefined: it is none. Models: v1.24 pkg/kubelet/config common.go tryDecodeSinglePod, without its validation. */
export function readPod(document: object): Pod | undefined {
  try {
    return decode(podSchema, { status: {}, ...document }) as Pod;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}
