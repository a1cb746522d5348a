/** All faults that a search injects, by their names in a scenario. */
export { crashInjection as crash } from './crash.ts';
export { oldRelistInjection as oldRelist, relistInjection as relist } from './processes.ts';
export { freezeInjection as freeze, gapInjection as gap } from './staleness.ts';
export {
  meddleInjection as meddle,
  recreateInjection as recreate,
  scaleInjection as scale,
  unlabelInjection as unlabel,
} from './meddle.ts';
export {
  cutInjection as cut,
  holdInjection as hold,
  lateInjection as late,
  loseInjection as lose,
  refuseInjection as refuse,
  slowInjection as slow,
} from './network.ts';
export { skewInjection as skew } from './processes.ts';
export { hangInjection as hang } from './nodes.ts';
