/**
 * Authentication of requests: the server refuses every request of a process whose certificate is not valid. Models: v1.24 apiserver
 * pkg/endpoints/filters authentication.go.
 */
import type { Status } from '../../apiserver/machinery/index.ts';
import type { Envelope } from '../../apiserver/request/index.ts';
import { refusalOf } from './observer-bus.ts';
import type { RequestVerdict, RuntimeContext } from './context.ts';
import type { Process } from './process.ts';

const UNAUTHORIZED: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: 'Unauthorized',
  reason: 'Unauthorized',
  code: 401,
};

/** Refuses and reports a request of a process that cannot be authenticated; undefined: the process is authenticated. */
export function authenticationFailure(
  { kernel, observe }: RuntimeContext,
  { spec }: Process,
  envelope: Envelope,
): RequestVerdict | undefined {
  if (spec.isAuthenticated?.(kernel.now) !== false) return undefined;
  observe(refusalOf(envelope, UNAUTHORIZED));
  return { fail: UNAUTHORIZED };
}
