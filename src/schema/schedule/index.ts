/**
 * Schedules and time zones: parsing of cron expressions, the next firing time, and the offset of a named zone at any instant. Validation of
 * CronJobs and the CronJob controller both use it. Everything is pure, and independent of kinds and clocks.
 */
export { nextAfter, parseSchedule, type Schedule } from './schedule.ts';
export { loadLocation } from './zone.ts';
