/** A committed change: the source of a watch event. */
import type { ApiObject } from '../machinery/index.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

export interface Change {
  readonly revision: number;
  readonly type: ChangeType;
  readonly kind: string;
  readonly key: string;
  /** The object after the change; for a deletion its last state, with the deletion's resourceVersion. */
  readonly object: ApiObject;
  readonly previous?: ApiObject;
  /** The instant in milliseconds since the epoch. */
  readonly at: number;
  /** The trace entry that wrote it. */
  readonly entry: number;
}
