/** What pods and nodes use, as data: functions of virtual time in closed form. Nothing here is counted or remembered, so asking costs no event. */
export { type Curve, firstAbove, valueAt } from './curve.ts';
export { type Amounts, createUsage, NOTHING_USED, RESOURCES, type Resource, type Usage, type UsageSpec } from './usage.ts';
