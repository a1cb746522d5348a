/** The one write path: what a write changes is found out, and its plan is run, which skips what the change does not concern. */
export { changeOf, changeOfPatch } from './changed.ts';
export { newUid } from './create.ts';
export { asTerminating, DEFINITION, finishDeletion } from './definitions.ts';
export { carryOut, plansOf, run } from './plan.ts';
export * from './scope.ts';
export { brokenRules, type Plan, type Stage, tracks } from './stages.ts';
export { instanceOf, rememberTemplate, templateOf } from './template.ts';
export { managedWrite, managerOf } from './tracking.ts';
export { checkVersion, committing } from './update.ts';
export { type Change, type Place, unknownChange, Write } from './write.ts';
