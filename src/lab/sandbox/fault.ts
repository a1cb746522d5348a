/** What a user's controller did and may not: a finding of the run, not an error of the simulator. */
import type { Controller } from '../../controlplane/runtime/index.ts';

export interface ControllerFault {
  readonly controller: Controller;
  /** The key in question, where there is one. */
  readonly key: string | undefined;
  /** One sentence. */
  readonly message: string;
  /** A line each. */
  readonly detail: readonly string[];
  /** What was thrown, where something was. */
  readonly thrown?: unknown;
}
