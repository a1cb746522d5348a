/** A user's definitions: controllers, invariants, faults and kinds, as one value that is checked before it is used. */
export { customKinds, readCustomKinds } from './custom.ts';
export { checkedDefinitions, type DefinitionProblem, problemsOf } from './check.ts';
export {
  controllersWith,
  defineConfig,
  type Definitions,
  faultsWith,
  invariantsWith,
  joinDefinitions,
  kindsWith,
  NO_DEFINITIONS,
  type UserController,
  type UserFault,
} from './definitions.ts';
