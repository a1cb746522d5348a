/** Phrases for requests in the trace: there is one for every request, and none affects the response. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '../../../src/apiserver/request/index.ts';
import { createCluster } from '../../../src/controlplane/cluster.ts';
import { phraseOf } from '../../../src/controlplane/runtime/observation.ts';

/** A body from a client: nothing has checked its type yet. */
const created = (body: unknown, more: object = {}): ApiRequest => ({ verb: 'create', kind: 'Pod', body, ...more }) as ApiRequest;

const HOSTILE: readonly unknown[] = [
  undefined,
  null,
  1,
  'x',
  true,
  [],
  {},
  { metadata: null },
  { metadata: 1 },
  { metadata: [] },
  { metadata: 'name' },
  { metadata: { name: null } },
  { metadata: { name: {} } },
  { metadata: { generateName: 7 } },
  JSON.parse('{"metadata":{"__proto__":{"name":"x"}}}'),
  JSON.parse('{"__proto__":{"metadata":null}}'),
];

describe('phrases', () => {
  it('name what a request is about', () => {
    expect(phraseOf(created({ metadata: { generateName: 'a-' } }, { namespace: 'default' }))).toBe('create Pod default/a-*');
    expect(phraseOf(created({ metadata: { name: 'a' } }))).toBe('create Pod a');
    expect(phraseOf(created({}, { namespace: 'n', name: 'p', subresource: 'binding' }))).toBe('create Pod/binding n/p');
    expect(phraseOf({ verb: 'delete', kind: 'Node', name: 'n' })).toBe('delete Node n');
    expect(phraseOf({ verb: 'list', kind: 'Pod', namespace: 'n' })).toBe('list Pod n/*');
  });

  it('exist for every body', () => {
    for (const body of HOSTILE) expect(phraseOf(created(body)), JSON.stringify(body)).toMatch(/^create Pod /);
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const body of [value, { metadata: value }, { metadata: { name: value, generateName: value } }])
          expect(phraseOf(created(body)).length).toBeLessThan(300);
      }),
      { seed: 1 },
    );
  });

  it('do not affect responses: with or without an observer, a request gets the same', () => {
    const heard: string[] = [];
    const listening = createCluster({
      onObservation: (observation) => {
        if (observation.type === 'refusal') heard.push(observation.request);
      },
    });
    const unheard = createCluster();
    heard.length = 0;
    for (const { kind, namespaced } of listening.kinds.list())
      for (const body of HOSTILE) {
        const request = created(body, { kind, ...(namespaced ? { namespace: 'default' } : {}) });
        const answer = listening.request('client', request);
        expect(answer, `${kind} ${JSON.stringify(body)}`).toEqual(unheard.request('client', request));
        expect(answer.ok, `${kind} ${JSON.stringify(body)}`).toBe(false);
        expect(answer.code).toBeLessThan(500);
      }
    expect(heard).toHaveLength(listening.kinds.list().length * HOSTILE.length);
  });
});
