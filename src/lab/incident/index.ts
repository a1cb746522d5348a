/** Incidents: the audit log of a run, and a log or a recorded watch of a real cluster as a scenario. */
export { createAuditLog } from './audit-log.ts';
export { judgeIncident, type Judged, type Parting } from './judge.ts';
export { type AuditLog, createLogReader, withRecords } from './read-log.ts';
export type { Ref } from './records.ts';
export { readWatches } from './watch.ts';
export { type Incident, incidentOf } from './replay.ts';
