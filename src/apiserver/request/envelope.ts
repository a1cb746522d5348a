/** A request on its way, with whose it is: one value from its author through fault rules and door to commit, observation and trace. */
import type { ApiObject } from '../machinery/index.ts';
import type { ApiRequest } from './request.ts';

/** Whose request it is. */
export interface Author {
  /** `controller-manager`, `agent/node-0`; of a client outside the cluster the name it is known by. */
  readonly process: string;
  /** How often the process had crashed by then. */
  readonly incarnation: number;
  /** The controller that decided on it, and the key it decided for. */
  readonly controller?: string;
  readonly key?: string;
}

export interface Envelope {
  readonly request: ApiRequest;
  readonly by: Author;
  /** Identities of what led to it. */
  readonly causes: readonly number[];
  /** The object that the author worked from, where the request says what shall become of one. */
  readonly base?: ApiObject;
  /** The body is a literal of its author's, as decoding would give it: known fields in published order, none of them empty. */
  readonly typed?: true;
}

const NOTHING: readonly number[] = [];

/** The request of somebody who is no process of the cluster. */
export const envelopeOf = (name: string, request: ApiRequest, causes: readonly number[] = NOTHING): Envelope => ({
  request,
  by: { process: name, incarnation: 0 },
  causes,
});
