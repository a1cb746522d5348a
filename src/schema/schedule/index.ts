/**
 * Schedules and time zones: what a cron expression means, when it fires next, and the offset of a named zone at any instant.
 * Validation of CronJobs and their controller both ask here. Pure; nothing here knows a kind or a clock.
 */
export { nextAfter, parseSchedule, type Schedule } from './schedule.ts';
export { loadLocation } from './zone.ts';
