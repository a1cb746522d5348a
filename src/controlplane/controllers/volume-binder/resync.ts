/**
 * All claims and volumes are looked at again every fifteen seconds, which mends what no event tells. Here each that needs it works out when
 * that is. Models: v1.24 pkg/controller/volume/persistentvolume resync.
 */
const RESYNC_MS = 15_000;

export const nextResync = (now: number): number => (Math.floor(now / RESYNC_MS) + 1) * RESYNC_MS;
