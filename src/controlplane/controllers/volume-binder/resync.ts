/**
 * All claims and volumes are reconciled every fifteen seconds, which repairs states without events. Here each object that needs it computes
 * the time of its next resync. Models: v1.24 pkg/controller/volume/persistentvolume resync.
 */
const RESYNC_MS = 15_000;

export const nextResync = (now: number): number => (Math.floor(now / RESYNC_MS) + 1) * RESYNC_MS;
