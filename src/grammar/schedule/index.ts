/**
 * Schedules and time zones: what a cron expression means, when it fires next, and the offset of a named zone at any instant.
 * Validation of CronJobs and their controller both ask here. Pure; nothing here knows a kind or a clock.
 */
export { nextAfter, parseSchedule, type CalendarSchedule, type IntervalSchedule, type ParsedSchedule, type Schedule } from './schedule.ts';
export { loadLocation, UTC, type Zone } from './zone.ts';
export { ZONE_AREAS, ZONE_NAMES } from './zone-names.ts';
