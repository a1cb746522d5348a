/** The answers that a scenario gives in place of webhooks, by its conditions. */
import { describe, expect, it } from 'vitest';
import { askedIn } from '../../../src/lab/simulation/webhooks.ts';
import type { WebhookAnswer } from '../../../src/lab/scenario/index.ts';
import { clusterWith, map } from './world.ts';

const cluster = clusterWith([map('a')]);
const POD = { kind: 'Pod', metadata: { name: 'p', labels: { app: 'x' } }, spec: { replicas: 2 } };
const cel = (text: string) => ({ cel: text });

/** What a webhook with this answer says to a request. */
function ask(
  answer: Omit<WebhookAnswer, 'name'>,
  { object = POD, oldObject = null }: { object?: object | null; oldObject?: object | null } = {},
): unknown {
  const asked = askedIn([{ name: 'w', ...answer }], () => cluster);
  return asked?.({
    name: 'w',
    review: { apiVersion: 'admission/v1', kind: 'AdmissionReview', request: { uid: 'u', object, oldObject } },
  } as never);
}
const answered = (response: object) => ({
  review: { apiVersion: 'admission/v1', kind: 'AdmissionReview', response: { uid: 'u', ...response } },
});
const allowed = (more: object = {}) => answered({ allowed: true, ...more });
const patched = (...operations: readonly object[]) =>
  allowed({ patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(operations)).toString('base64') });

describe('who is asked', () => {
  it('is the scenario where it has the name, else another, and a name without an answer fails', () => {
    const other = () => ({ failure: 'the other' });
    expect(askedIn(undefined, () => cluster, other)).toBe(other);
    expect(askedIn(undefined, () => cluster)).toBeUndefined();
    const call = (name: string) => ({ name, review: { apiVersion: 'v', request: { uid: 'u', object: POD, oldObject: null } } }) as never;
    const both = askedIn([{ name: 'w' }], () => cluster, other);
    expect([both?.(call('w')), both?.(call('x'))]).toEqual([
      { review: { apiVersion: 'v', kind: 'AdmissionReview', response: { uid: 'u', allowed: true } } },
      { failure: 'the other' },
    ]);
    expect(askedIn([{ name: 'w' }], () => cluster)?.(call('x'))).toEqual({ failure: 'spec.webhooks of the scenario has no answer for x' });
  });
});

describe('a request', () => {
  it('is allowed or refused by a condition on the object, the stored one, and the cluster', () => {
    expect(ask({ allow: cel("self.spec.replicas > 1 && old == null && object('ConfigMap/a') != null") })).toEqual(allowed());
    expect(ask({ allow: cel('self.spec.replicas > 2'), message: 'too few', warn: ['careful'] })).toEqual(
      answered({ allowed: false, status: { message: 'too few' }, warnings: ['careful'] }),
    );
    expect(ask({ allow: cel('old.spec.replicas == 1') }, { oldObject: { spec: { replicas: 1 } } })).toEqual(allowed());
    // Of a deletion, self is the object as it was.
    expect(ask({ allow: cel('self.spec.replicas == 1 && old == null') }, { object: null, oldObject: { spec: { replicas: 1 } } })).toEqual(
      allowed(),
    );
    expect(ask({ allow: cel('self == {}') }, { object: null })).toEqual(allowed());
  });

  it('fails where the answer says so, or a condition cannot be evaluated', () => {
    expect(ask({ fails: 'timeout', allow: cel('false') })).toEqual({ failure: 'timeout' });
    expect(ask({ allow: cel('1 +') })).toEqual({ failure: 'its condition: Unexpected token: EOF' });
    expect(ask({ allow: cel('self.nope.x == 1') })).toEqual({
      failure: expect.stringMatching(/^its condition: No such key: nope/) as unknown,
    });
    expect(ask({ when: cel('self.nope.x == 1'), mutate: {} })).toEqual({
      failure: expect.stringMatching(/^its condition: No such key: nope/) as unknown,
    });
    expect(ask({ when: cel('self.nope.x == 1') })).toEqual(allowed());
    expect(ask({ allow: cel('false'), when: cel('1 +'), mutate: {} })).toEqual(answered({ allowed: false }));
  });

  it('is changed member by member, where a condition holds', () => {
    const mutate = { metadata: { labels: { tier: 'y' } }, 'a/b~c': 1, spec: null };
    const labels = { labels: { app: 'x', tier: 'y' }, name: 'p' };
    const operations = [
      { op: 'add', path: '/metadata', value: labels },
      { op: 'add', path: '/a~1b~0c', value: 1 },
      { op: 'remove', path: '/spec' },
    ];
    expect(ask({ mutate })).toEqual(patched(...operations));
    expect(ask({ mutate, when: cel('self.spec.replicas == 2') })).toEqual(patched(...operations));
    expect(ask({ mutate, when: cel('self.spec.replicas == 3') })).toEqual(allowed());
    expect(ask({ mutate, allow: cel('false') })).toEqual(answered({ allowed: false }));
    expect(ask({ mutate: {} })).toEqual(patched());
    for (const none of ['text', null, 1]) expect(ask({ mutate: none })).toEqual(allowed());
    expect(ask({ mutate }, { object: null, oldObject: POD })).toEqual(allowed());
  });
});

describe('a conversion', () => {
  const convert = (answer: Omit<WebhookAnswer, 'name'>, ...objects: readonly object[]) =>
    askedIn(
      [{ name: 'w', ...answer }],
      () => cluster,
    )?.({
      name: 'w',
      review: { apiVersion: 'ext/v1', kind: 'ConversionReview', request: { uid: 'u', desiredAPIVersion: 'x.io/v2', objects } },
    } as never);
  const converted = (result: object, ...convertedObjects: readonly object[]) => ({
    review: { apiVersion: 'ext/v1', kind: 'ConversionReview', response: { uid: 'u', result, convertedObjects } },
  });
  const [one, two] = [
    { apiVersion: 'x.io/v1', size: 1 },
    { apiVersion: 'x.io/v1', size: 2 },
  ];

  it('rewrites the version of each object, and merges where a condition holds', () => {
    const ok = { status: 'Success' };
    expect(convert({}, one, two)).toEqual(converted(ok, { apiVersion: 'x.io/v2', size: 1 }, { apiVersion: 'x.io/v2', size: 2 }));
    expect(convert({ mutate: { size: null, count: 3 }, when: cel('self.size == 2 && old == null') }, one, two)).toEqual(
      converted(ok, { apiVersion: 'x.io/v2', size: 1 }, { apiVersion: 'x.io/v2', count: 3 }),
    );
    expect(convert({ mutate: { count: 3 } }, one)).toEqual(converted(ok, { apiVersion: 'x.io/v2', size: 1, count: 3 }));
    expect(convert({ when: cel('1 +') }, one)).toEqual(converted(ok, { apiVersion: 'x.io/v2', size: 1 }));
    expect(convert({})).toEqual(converted(ok));
  });

  it('of one object that is not allowed fails for all', () => {
    expect(convert({ allow: cel('self.size == 2') }, one, two)).toEqual(converted({ status: 'Failure' }));
    expect(convert({ allow: cel('self.size == 1'), message: 'too large' }, one, two)).toEqual(
      converted({ status: 'Failure', message: 'too large' }),
    );
    expect(convert({ allow: cel('self.size > 0'), message: 'too large' }, one)).toEqual(
      converted({ status: 'Success' }, { apiVersion: 'x.io/v2', size: 1 }),
    );
  });

  it('fails where the answer says so, or a condition cannot be evaluated', () => {
    expect(convert({ fails: 'down' }, one)).toEqual({ failure: 'down' });
    expect(convert({ allow: cel('1 +') }, one)).toEqual({ failure: 'its condition: Unexpected token: EOF' });
    expect(convert({ mutate: {}, when: cel('1 +') }, one)).toEqual({ failure: 'its condition: Unexpected token: EOF' });
  });
});
