/** What the module of a user gets when it imports `orchsim`: this running instance, so that its definitions meet the same registries. */
export * as api from '../../index.ts';
export * as internals from '../../internals.ts';
