/** CEL expressions with a budget: their evaluation is counted in steps, equal on every host, and patterns take linear time. */
export { withLibrary } from './library.ts';
export { easeHas, Exhausted, meter, nodesOf, onAbsence, patternOf, withinBudget } from './budget.ts';
