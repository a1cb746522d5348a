/** All or nothing of the capacity switches a threshold of eviction off. */
export const isOff = (threshold: string): boolean => threshold.endsWith('%') && [0, 100].includes(Number(threshold.slice(0, -1)));
