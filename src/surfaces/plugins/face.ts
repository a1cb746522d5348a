/** The module that a plugin gets when it imports `orchsim`: this running instance, so that its definitions reach the same registries. */
export * as api from '../../index.ts';
export * as internals from '../../internals.ts';
