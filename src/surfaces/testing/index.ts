/**
 * Searches inside a user's tests: a property over random scenarios. When it breaks, it writes a scenario file and names the command that
 * runs it.
 */
export { checkScenarios, type CheckOptions } from './check-scenarios.ts';
