/** The one write path: what a write changes is found out, and its plan is run, which skips what the change does not concern. */
export { createCapacity, type Capacity, MAX_OBJECTS } from './capacity.ts';
export { changeOf, changeOfPatch } from './changed.ts';
export { carryOut, plansOf, run } from './plan.ts';
export { asTerminating, DEFINITION, finishDeletion } from './definitions.ts';
export { type Plan, type Stage } from './stages.ts';
export { newUid } from './identity.ts';
export { brokenRules } from './rules.ts';
export { type Scope, scopesOf, type ServedResource, type ServerOptions } from './scope.ts';
export { instanceOf, rememberTemplate, templateOf } from './template.ts';
export { managerOf, fieldRules, tracks } from './tracking.ts';
export { checkVersion, committing } from './update.ts';
export { type Change, type Place, unknownChange, Write } from './write.ts';
