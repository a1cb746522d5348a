import { describe, expect, it } from 'vitest';
import {
  badRequest,
  expired,
  internal,
  internalError,
  methodNotAllowed,
  tooLargeRevision,
  unknownResource,
} from '../../../src/apiserver/request/errors.ts';

describe('a refusal', () => {
  it.each([
    ['badRequest', badRequest('m'), 400, 'BadRequest'],
    ['unknownResource', unknownResource(), 404, 'NotFound'],
    ['methodNotAllowed', methodNotAllowed(), 405, 'MethodNotAllowed'],
    ['expired', expired('m'), 410, 'Expired'],
    ['internal', internal('m'), 500, undefined],
    ['internalError', internalError('m'), 500, 'InternalError'],
    ['tooLargeRevision', tooLargeRevision(2, 1, true), 504, 'Timeout'],
  ] as const)('%s has its code and reason', (_name, { status }, code, reason) => {
    expect([status.code, status.reason]).toEqual([code, reason]);
  });
});
