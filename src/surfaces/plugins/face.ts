/**
 * What a module of somebody's own gets when it imports `orchsim`: this running instance, so that its definitions meet the registries that
 * it runs with.
 */
export * as face from '../../index.ts';
