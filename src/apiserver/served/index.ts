/** The kinds of a world: the built-in ones, and those of the definitions in its store, as they are at the moment. */
export { servedKinds } from './served-kinds.ts';
