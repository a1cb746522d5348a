/** Batches of creates that double after each success. Models: v1.24 pkg/controller/replicaset and job slowStartBatch. */

/** The index, from 0, of the last create in the batch of an attempt: batches of 1, 2, 4, 8 … */
export const endOfBatch = (attempt: number): number => (1 << (32 - Math.clz32(attempt + 1))) - 2;
