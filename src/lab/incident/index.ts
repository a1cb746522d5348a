/** Incidents: the audit log of a run, and a log or a recorded watch of a real cluster as a scenario. */
export { type AuditLogOptions, createAuditLog } from './audit-log.ts';
export { judgeIncident, type Judged, type Parting } from './judge.ts';
export { type AuditLog, createLogReader, type LogReader } from './read-log.ts';
export type { Ref } from './records.ts';
export { type Incident, incidentOf, type LeftOutRequests } from './replay.ts';
