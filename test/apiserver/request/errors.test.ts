/** Each refusal as a client reads it: the whole status, in upstream's words. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { type FieldError, type Kind, namesFor } from '../../../src/apiserver/machinery/index.ts';
import {
  about,
  alreadyExists,
  badRequest,
  conflict,
  conflictOnKind,
  expired,
  failure,
  forbidden,
  internal,
  internalError,
  invalid,
  invalidAs,
  methodNotAllowed,
  MODIFIED,
  notFound,
  type Refusal,
  tooLargeRevision,
  unknownResource,
} from '../../../src/apiserver/request/errors.ts';
import { envelopeOf, resourceOf } from '../../../src/apiserver/request/request.ts';

const names = namesFor('k8s.io');
const kinds = kindsFor(names);
const kindOf = (name: string): Kind => {
  const found = kinds.byKind(name);
  if (found === undefined) throw new Error(`no kind ${name}`);
  return found;
};
const resource = (name: string) => resourceOf(kindOf(name), names);
const pods = resource('Pod');
const leases = resource('Lease');
const ingresses = resource('Ingress');

const status = (code: number, reason: string | undefined, message: string, details?: object) => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message,
  ...(reason === undefined ? {} : { reason }),
  ...(details === undefined ? {} : { details }),
  code,
});
const LEASE = { name: 'l', group: 'coordination.k8s.io', kind: 'leases' };
const POD = { name: 'p', kind: 'pods' };

describe('a refusal', () => {
  it.each<[string, Refusal, object]>([
    ['badRequest', badRequest('m'), status(400, 'BadRequest', 'm')],
    ['forbidden', forbidden(pods, 'p', 'no'), status(403, 'Forbidden', 'pods "p" is forbidden: no', POD)],
    [
      'forbidden, of a group',
      forbidden(leases, 'l', 'no', [{ message: 'm' }]),
      status(403, 'Forbidden', 'leases.coordination.k8s.io "l" is forbidden: no', { ...LEASE, causes: [{ message: 'm' }] }),
    ],
    ['forbidden, without a name', forbidden(pods, '', 'no'), status(403, 'Forbidden', 'pods is forbidden: no', { kind: 'pods' })],
    ['notFound', notFound(pods, 'p'), status(404, 'NotFound', 'pods "p" not found', POD)],
    ['notFound, of a group', notFound(leases, 'l'), status(404, 'NotFound', 'leases.coordination.k8s.io "l" not found', LEASE)],
    [
      'notFound, of a sub-resource',
      notFound(resource('Deployment'), 'd', 'scale'),
      status(404, 'NotFound', 'deployments/scale.apps "d" not found', { name: 'd', group: 'apps', kind: 'deployments/scale' }),
    ],
    ['unknownResource', unknownResource(), status(404, 'NotFound', 'the server could not find the requested resource', {})],
    [
      'methodNotAllowed',
      methodNotAllowed(),
      status(405, 'MethodNotAllowed', 'the server does not allow this method on the requested resource', {}),
    ],
    ['alreadyExists', alreadyExists(pods, 'p', false), status(409, 'AlreadyExists', 'pods "p" already exists', POD)],
    [
      'alreadyExists, while it is deleted',
      alreadyExists(leases, 'l', true),
      status(409, 'AlreadyExists', 'object is being deleted: leases.coordination.k8s.io "l" already exists', LEASE),
    ],
    [
      'conflict',
      conflict(leases, 'l', MODIFIED),
      status(
        409,
        'Conflict',
        'Operation cannot be fulfilled on leases.coordination.k8s.io "l": the object has been modified; please apply your changes to the latest version and try again',
        LEASE,
      ),
    ],
    [
      'conflict on a kind',
      conflictOnKind(leases, 'l', 'why'),
      status(409, 'Conflict', 'Operation cannot be fulfilled on Lease.coordination.k8s.io "l": why', { ...LEASE, kind: 'Lease' }),
    ],
    [
      'conflict on a kind of the core group',
      conflictOnKind(pods, 'p', 'why'),
      status(409, 'Conflict', 'Operation cannot be fulfilled on Pod "p": why', { name: 'p', kind: 'Pod' }),
    ],
    ['expired', expired('m'), status(410, 'Expired', 'm')],
    ['expired, with a token', expired('m', 'next'), { ...status(410, 'Expired', 'm'), metadata: { continue: 'next' } }],
    ['internal', internal('m'), status(500, undefined, 'm')],
    ['internalError', internalError('m'), status(500, 'InternalError', 'Internal error occurred: m', { causes: [{ message: 'm' }] })],
    ...[true, false].map((mayRetry): [string, Refusal, object] => [
      `tooLargeRevision, ${mayRetry ? 'to be asked again' : 'for good'}`,
      tooLargeRevision(2, 1, mayRetry),
      status(504, 'Timeout', 'Timeout: Too large resource version: 2, current: 1', {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        ...(mayRetry ? { retryAfterSeconds: 1 } : {}),
      }),
    ]),
    [
      'failure, with its metadata only',
      failure({ code: 418, message: 'm', metadata: { a: 1 } }),
      { ...status(418, undefined, 'm'), metadata: { a: 1 } },
    ],
  ])('%s is a whole status', (_, refusal, expected) => {
    expect(refusal.status).toEqual(expected);
    expect(Object.keys(refusal.status)).toEqual(Object.keys(expected));
    expect([refusal.name, refusal.message, refusal.warnings]).toEqual(['Refusal', refusal.status.message, undefined]);
  });

  it('says no empty names, groups and details', () => {
    expect([about(undefined, '', 'pods'), about('', 'apps', 'x'), about('n', '', 'x', { uid: 'u' })]).toEqual([
      { kind: 'pods' },
      { group: 'apps', kind: 'x' },
      { name: 'n', kind: 'x', uid: 'u' },
    ]);
  });
});

const problem = (type: FieldError['type'], field: string, more: Partial<FieldError> = {}): FieldError => ({
  type,
  field,
  detail: '',
  ...more,
});

describe('an invalid object', () => {
  it('has one cause for each error, with the reason of its type', () => {
    const errors = [
      problem('Required', 'a', { detail: 'd' }),
      problem('Invalid', 'b', { value: 'x', detail: 'd' }),
      problem('NotSupported', 'c', { value: 'x' }),
      problem('Duplicate', 'd', { value: 'x' }),
      problem('Forbidden', 'e', { detail: 'd' }),
      problem('TooLong', 'f', { detail: 'd' }),
      problem('TooMany', 'g', { value: 3, detail: 'd' }),
      problem('NotFound', 'h', { value: 'x' }),
      problem('Internal', 'i', { detail: 'd' }),
      problem('TypeInvalid', 'j', { value: 'x', detail: 'd' }),
    ];
    const causes = [
      ['FieldValueRequired', 'Required value: d', 'a'],
      ['FieldValueInvalid', 'Invalid value: "x": d', 'b'],
      ['FieldValueNotSupported', 'Unsupported value: "x"', 'c'],
      ['FieldValueDuplicate', 'Duplicate value: "x"', 'd'],
      ['FieldValueForbidden', 'Forbidden: d', 'e'],
      ['FieldValueTooLong', 'Too long: d', 'f'],
      ['FieldValueTooMany', 'Too many: 3: d', 'g'],
      ['FieldValueNotFound', 'Not found: "x"', 'h'],
      ['InternalError', 'Internal error: d', 'i'],
      ['FieldValueTypeInvalid', 'Invalid value: "x": d', 'j'],
    ].map(([reason, message, field]) => ({ reason, message, field }));
    const text = causes.map(({ field, message }) => `${field}: ${message}`).join(', ');
    expect(invalid(leases, 'l', errors).status).toEqual(
      status(422, 'Invalid', `Lease.coordination.k8s.io "l" is invalid: [${text}]`, { ...LEASE, kind: 'Lease', causes }),
    );
  });

  it('is named by its kind, by the group that the kind has in errors, and by the kind that users call it', () => {
    const one = [problem('Required', 'a')];
    const shown = { ...pods, kind: { ...pods.kind, shownAs: 'Shown' } };
    const details = (more: object) => ({ ...more, causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: 'a' }] });
    expect(
      [invalid(pods, 'p', one), invalid(ingresses, 'i', one), invalid(shown, 'p', one), invalidAs('', 'X', '', one)].map(
        ({ status: s }) => s,
      ),
    ).toEqual([
      status(422, 'Invalid', 'Pod "p" is invalid: a: Required value', details({ name: 'p', kind: 'Pod' })),
      status(
        422,
        'Invalid',
        'Ingress.extensions "i" is invalid: a: Required value',
        details({ name: 'i', group: 'extensions', kind: 'Ingress' }),
      ),
      status(422, 'Invalid', 'Shown "p" is invalid: a: Required value', details({ name: 'p', kind: 'Shown' })),
      status(422, 'Invalid', 'X "" is invalid: a: Required value', details({ kind: 'X' })),
    ]);
  });

  it('with the same error twice has two causes and one text', () => {
    const { message, details } = invalid(pods, 'p', [problem('Required', 'a'), problem('Required', 'a')]).status;
    expect([message, details?.causes?.length]).toEqual(['Pod "p" is invalid: a: Required value', 2]);
  });

  it('reports at most a thousand errors, and counts the others', () => {
    const many = (count: number) =>
      invalid(
        pods,
        'p',
        Array.from({ length: count }, (_, at) => problem('Required', `f[${at}]`)),
      ).status;
    expect(many(1000).details?.causes?.length).toBe(1000);
    expect(many(1000).message).toMatch(/, f\[999\]: Required value\]$/);
    expect(many(1002).details?.causes?.length).toBe(1000);
    expect(many(1002).message).toMatch(/, f\[999\]: Required value, and 2 more errors\]$/);
  });

  it('reports no more errors after a million characters', () => {
    // `f: Forbidden: ` and the detail: half of the limit, and one character less.
    const half = (1 << 19) - 'f: Forbidden: '.length;
    const reported = (length: number): number | undefined =>
      invalid(
        pods,
        'p',
        [0, 1, 2].map(() => problem('Forbidden', 'f', { detail: 'x'.repeat(length) })),
      ).status.details?.causes?.length;
    expect([reported(half - 1), reported(half)]).toEqual([3, 2]);
  });
});

describe('a resource', () => {
  it.each<[string, readonly string[]]>([
    ['Pod', ['', 'v1', 'pods', '', '/registry/pods/']],
    ['Node', ['', 'v1', 'nodes', '', '/registry/minions/']],
    ['Service', ['', 'v1', 'services', '', '/registry/services/specs/']],
    ['Endpoints', ['', 'v1', 'endpoints', '', '/registry/services/endpoints/']],
    ['Lease', ['coordination.k8s.io', 'coordination.k8s.io/v1', 'leases.coordination.k8s.io', 'coordination.k8s.io', '/registry/leases/']],
    ['Ingress', ['networking.k8s.io', 'networking.k8s.io/v1', 'ingresses.networking.k8s.io', 'extensions', '/registry/ingress/']],
    [
      'APIService',
      [
        'apiregistration.k8s.io',
        'apiregistration.k8s.io/v1',
        'apiservices.apiregistration.k8s.io',
        'apiregistration.k8s.io',
        '/registry/apiregistration.k8s.io/apiservices/',
      ],
    ],
  ])('of %s has the names of its kind', (name, expected) => {
    const { kind, group, apiVersion, qualified, invalidGroup, storagePrefix } = resource(name);
    expect(kind).toBe(kindOf(name));
    expect([group, apiVersion, qualified, invalidGroup, storagePrefix]).toEqual(expected);
  });
});

it('a request from outside the cluster has an author, and the causes that are given', () => {
  const request = { verb: 'list', kind: 'Pod' } as const;
  expect([envelopeOf('client', request), envelopeOf('client', request, [3])]).toEqual([
    { request, by: { process: 'client', incarnation: 0 }, causes: [] },
    { request, by: { process: 'client', incarnation: 0 }, causes: [3] },
  ]);
});
