/** A violation of the rules by a user's controller: a finding of the run, not an error of the simulator. */
import type { Controller } from '../../controlplane/runtime/index.ts';

/** A violation by a user's controller, as it is reported to the run. */
export interface ControllerFault {
  readonly controller: Controller;
  /** The key of the decision, where there is one. */
  readonly key: string | undefined;
  /** One sentence. */
  readonly message: string;
  /** More lines for the report. */
  readonly detail: readonly string[];
  /** The exception, if there was one. */
  readonly thrown?: unknown;
}
