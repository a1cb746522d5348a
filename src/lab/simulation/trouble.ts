/** Why a step did not do what it says. */
import type { ObjectName } from '../trace/index.ts';

/** What came of a step: undefined when all is well. */
export interface Trouble {
  readonly message: string;
  readonly detail: readonly string[];
  readonly about?: ObjectName & { readonly field?: string };
}
