/** The controllers of the controller manager: a folder each, a line each. */
import type { KindRegistry } from '../api/index.ts';
import type { Controller } from '../runtime/index.ts';

/** All controllers, in the order in which documentation lists them. */
export const controllers = (_kinds: KindRegistry): readonly Controller[] => [];
