/**
 * Resource usage of pods and nodes, and other metrics, as data: closed-form functions of virtual time. Nothing is recorded, so reading
 * costs no event.
 */
export { type Curve, firstAbove, valueAt } from './curve.ts';
export { MEASURED, type Meter, meterAt, type Reading, reportsUsage, createMetered, type Metered } from './meter.ts';
export { type Question, type Series, type SeriesSpec } from './series.ts';
export { type Amounts, createUsage, NOTHING_USED, RESOURCES, type Resource, type Usage, type UsageSpec } from './usage.ts';
