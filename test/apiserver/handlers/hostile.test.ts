import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { envelopeOf, type ApiRequest } from '../../../src/apiserver/request/index.ts';
import { setup } from './setup.ts';

const json = fc.jsonValue({ maxDepth: 4 });
const kinds = fc.constantFrom('Pod', 'Job', 'Lease', 'Node', 'Namespace', 'Event', 'ControllerRevision', 'Nope');
const sprinkled = (base: Record<string, unknown>) =>
  fc.tuple(fc.constantFrom('metadata', 'spec', 'status', '__proto__', 'kind', 'apiVersion'), json).map(([key, value]) => {
    const body: Record<string, unknown> = { ...base };
    Object.defineProperty(body, key, { value, enumerable: true, configurable: true, writable: true });
    return body;
  });
const body = fc.oneof(
  json,
  sprinkled({ metadata: { name: 'x' } }),
  sprinkled({ metadata: { name: 'x' }, spec: { containers: [{ name: 'c', image: 'i' }] } }),
);
const name = fc.constantFrom('x', 'y', '', '../x', '__proto__');
const text = fc.oneof(fc.string(), fc.constantFrom('0', '5', 'abc', '999999999', 'All', 'a=b', 'metadata.name=x'));
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const request = fc.record({
  verb: fc.constantFrom('get', 'list', 'create', 'update', 'patch', 'delete', 'deletecollection'),
  kind: kinds,
  namespace: fc.constantFrom('default', 'nope', ''),
  name,
  body,
  subresource: optional(fc.constantFrom('status', 'binding', 'scale', 'eviction', 'nope')),
  patchType: fc.constantFrom('json', 'merge', 'strategic', 'apply'),
  fieldManager: fc.constantFrom('m', ''),
  labelSelector: optional(text),
  fieldSelector: optional(text),
  resourceVersion: optional(text),
  resourceVersionMatch: optional(text),
  continue: optional(text),
  limit: optional(fc.integer()),
  gracePeriodSeconds: optional(fc.integer()),
  propagationPolicy: optional(text),
  dryRun: optional(fc.array(text, { maxLength: 2 })),
});

const defined = (record: Record<string, unknown>): ApiRequest =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as unknown as ApiRequest;

describe('hostile requests', () => {
  it('get a response, and change nothing when they are refused', () => {
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 12 }), (requests) => {
        const { server, store } = setup();
        for (const each of requests) {
          const before = store.revision;
          const response = server.handle(envelopeOf('client', defined(each)));
          if (!response.ok) {
            expect(store.revision).toBe(before);
            expect(response.status.code).toBe(response.code);
            expect(response.status.message).not.toBe('');
          }
        }
      }),
      { numRuns: 300, seed: 4 },
    );
    expect(Object.hasOwn(Object.prototype, 'spec')).toBe(false);
  });
});
