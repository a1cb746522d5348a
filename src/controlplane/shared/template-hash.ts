/** The name and label that are derived from a template. Models: v1.24 pkg/controller/controller_utils.go ComputeHash. */
import { podTemplateSpec, type PodTemplateSpec } from '../../apiserver/machinery/index.ts';
import { safeLetters } from './safe-letters.ts';
import { spew } from './spew.ts';

const OFFSET = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();

const added = (hash: number, bytes: Uint8Array): number => {
  let sum = hash;
  for (const byte of bytes) sum = Math.imul(sum ^ byte, PRIME);
  return sum;
};

const sums = new WeakMap<PodTemplateSpec, number>();

/** The hash of a template, in letters that form no words; it changes with each collision. Cached by template. */
export function templateHash(template: PodTemplateSpec, collisions: number | undefined): string {
  let sum = sums.get(template);
  if (sum === undefined) {
    const schema = { ...podTemplateSpec, always: true as const };
    sums.set(template, (sum = added(OFFSET, encoder.encode(spew(template, schema)))));
  }
  if (collisions !== undefined) {
    const bytes = new DataView(new ArrayBuffer(8));
    bytes.setUint32(0, collisions, true);
    sum = added(sum, new Uint8Array(bytes.buffer));
  }
  return safeLetters(String(sum >>> 0));
}
