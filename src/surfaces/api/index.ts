/** The public functions of the library: functions of the layers below, with checked arguments. */
export {
  create,
  customKinds,
  defineConfig,
  defineController,
  defineKind,
  idle,
  record,
  remove,
  update,
  wakeAt,
  watch,
  write,
  writeStatus,
} from './builders.ts';
export { callback, having, integer, options, refuse, text } from './check.ts';
export {
  assertHeld,
  createCluster,
  describeFailures,
  formatProblem,
  formatScenario,
  readScenarios,
  search,
  simulate,
} from './functions.ts';
export { type ChecksOf, simulateOptions } from './options.ts';
export * as schema from './schema.ts';
