/** A request with its author: one value that passes through fault rules and handlers to commit, observation and trace. */
import type { ApiObject } from '../machinery/index.ts';
import type { ApiRequest } from './request.ts';

/** The author of a request. */
export interface Author {
  /** `controller-manager`, `agent/node-0`; for a client outside the cluster, its name. */
  readonly process: string;
  /** The number of crashes of the process before this request. */
  readonly incarnation: number;
  /** The controller that decided on the request, and the reconciled key. */
  readonly controller?: string;
  readonly key?: string;
}

export interface Envelope {
  readonly request: ApiRequest;
  readonly by: Author;
  /** Ids of the trace entries that caused it. */
  readonly causes: readonly number[];
  /** The object that the author read, where the request changes one. */
  readonly base?: ApiObject;
  /** Whether the body is a literal in the form of a decoded object: known fields in published order, none of them empty. */
  readonly typed?: true;
}

const NOTHING: readonly number[] = [];

/** Returns the envelope of a request from outside the cluster's processes. */
export const envelopeOf = (name: string, request: ApiRequest, causes: readonly number[] = NOTHING): Envelope => ({
  request,
  by: { process: name, incarnation: 0 },
  causes,
});
