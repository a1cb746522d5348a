/**
 * The syntax of single values: quantities, durations, instants, names, addresses, selectors, percentages. All functions are pure, and
 * independent of kinds, clocks and other modules. Parsers return `Parsed<T>`: a value, or the error text for the user, in upstream's words.
 * Checks return a list of problems; an empty list means valid. Functions of stored texts (`parseTime`, `unitsOf`, `labelMatcher`) cache
 * their results for hot paths; they throw on texts that have not been validated.
 */
export { compareVersions } from './api-versions.ts';
export * from './cidr.ts';
export * from './der.ts';
export { formatDurationMs, formatGoDuration, expectedDuration, parseDurationMs, parseGoDuration } from './duration.ts';
export * from './field-problem.ts';
export { exactFieldMatch, matchesFields, parseFieldSelector, unescapeFieldValue, type FieldSelector } from './field-selectors.ts';
export * from './go-scalars.ts';
export type { LabelOperator } from './label-parser.ts';
export * from './label-selectors.ts';
export * from './lists.ts';
export * from './names.ts';
export * from './quantity.ts';
export * from './texts.ts';
export { civilFromDays, daysFromCivil, decodeMicroTime, decodeTime, formatMicroTime, formatTime } from './time.ts';
export { LATEST_START_MS, parseTime, readTime } from './time.ts';
