/** Batches of creates that double after each success. Models: v1.24 pkg/controller/replicaset and job slowStartBatch. */

/** Position of the last create of the batch an attempt belongs to: batches of 1, 2, 4, 8 … */
export const endOfBatch = (attempt: number): number => (1 << (32 - Math.clz32(attempt + 1))) - 2;
