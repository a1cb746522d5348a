/** Which client outside the cluster a request is of, and what the faults on a client show it together. */
import { describe, expect, it } from 'vitest';
import { identifier } from '../../../src/surfaces/http/clients/identify.ts';
import { cutUntil, lagOf, viewOf } from '../../../src/surfaces/http/clients/views.ts';
import { kubeconfigFor } from '../../../src/surfaces/http/index.ts';

const request = (headers: Readonly<Record<string, string>> = {}, more: object = {}) => ({
  method: 'GET',
  target: '/',
  headers,
  body: new Uint8Array(),
  ...more,
});
const EVE = { name: 'eve', groups: [] };
const agent = (name: string) => ({ 'user-agent': name });

describe('a client', () => {
  it.each<[string, string, boolean]>([
    ['op', 'op', true],
    ['op', 'op/1', false],
    ['op/*', 'op/', true],
    ['op/*', 'op/1', true],
    ['op/*', 'xop/1', false],
    ['*/1', 'op/1', true],
    ['*/1', 'op/12', false],
    ['a*b', 'ab', true],
    ['a*b', 'a', false],
    ['aa*aa', 'aaa', false],
    ['aa*aa', 'aaaa', true],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'axbxc', true],
    ['a*b*c', 'ac', false],
    ['a*bb*c', 'abc', false],
    ['a*bc*c', 'abc', false],
    ['*b*b*', 'b', false],
    ['*b*b*', 'xbyb', true],
    ['*', '', true],
    ['', '', true],
    ['', 'x', false],
  ])('with the pattern %j is known by the agent %j: %s', (userAgent, name, isKnown) => {
    expect(identifier([{ name: 'c', userAgent }])(request(agent(name)), EVE)).toBe(isKnown ? 'c' : undefined);
  });

  it('is the first that fits in all that it says', () => {
    const identify = identifier([
      { name: 'none' },
      { name: 'both', userAgent: 'op/*', user: 'e*' },
      { name: 'user', user: 'eve' },
      { name: 'agent', userAgent: 'op/*' },
    ] as never);
    const ask = (name: string, user: string) => identify(request(agent(name)), { name: user, groups: [] });
    expect([
      ask('op/1', 'eve'),
      ask('x', 'eve'),
      ask('op/1', 'bob'),
      ask('x', 'bob'),
      identify(request(), { name: 'bob', groups: [] }),
    ]).toEqual(['both', 'user', 'agent', undefined, undefined]);
    expect(identifier([{ name: 'none' }] as never)(request(), EVE)).toBeUndefined();
  });

  it('is known by its credential before all', () => {
    const identify = identifier([{ name: 'agent', userAgent: '*' }] as never, new Map([['t', 'token']]));
    const ask = (authorization: string) => identify(request({ authorization }), EVE);
    expect([ask('Bearer t'), ask('bearer   t'), ask('t'), ask('Bearer x'), ask('Basic t')]).toEqual([
      'token',
      'token',
      'token',
      'agent',
      'agent',
    ]);
    expect(identifier([], new Map([['t', 'token']]))(request({ authorization: 'Bearer x' }), EVE)).toBeUndefined();
  });

  it('is known by the holder that it has last written into a Lease', () => {
    const identify = identifier([
      { name: 'leader', holder: 'l-*' },
      { name: 'other', userAgent: 'x', holder: 'o-*' },
    ] as never);
    const lease = (holderIdentity: string, more: object) =>
      identify(
        request(
          {},
          {
            method: 'PUT',
            target: '/apis/coordination.k8s.io/v1/namespaces/default/leases/l',
            body: new TextEncoder().encode(JSON.stringify({ spec: { holderIdentity } })),
            ...more,
          },
        ),
        EVE,
      );
    const known = () => identify(request(), EVE);
    expect(known()).toBeUndefined();
    for (const more of [
      { method: 'GET' },
      { method: 'DELETE' },
      { target: '/apis/coordination.k8s.io/v1/namespaces/default/leases/l/status' },
      { target: '/apis/coordination.k8s.io/v1/namespaces/default/releases' },
      { target: '/api/v1/namespaces/default/configmaps/leases' },
      { body: new TextEncoder().encode('{') },
      { body: new TextEncoder().encode('[]') },
      { body: new TextEncoder().encode('{"spec":null}') },
      { body: new TextEncoder().encode(JSON.stringify({ spec: { holderIdentity: 'l-1' } }).padEnd(16 * 1024 + 1)) },
    ])
      expect(lease('l-1', more), JSON.stringify(more).slice(0, 60)).toBeUndefined();
    const fresh = identifier([{ name: 'leader', holder: 'l-*' }] as never);
    const write = (more: object, headers = {}) =>
      fresh(
        request(headers, {
          method: 'POST',
          target: '/apis/coordination.orch.io/v1/namespaces/default/leases?x=y',
          body: new TextEncoder().encode('{"spec":{"holderIdentity":"l-1"}}'),
          ...more,
        }),
        EVE,
      );
    expect([write({}, { 'content-type': 'application/yaml' }), fresh(request(), EVE)]).toEqual([undefined, undefined]);
    expect([write({}, { 'content-type': 'application/merge-patch+json' }), fresh(request(), EVE)]).toEqual(['leader', 'leader']);
    // Another source is another client; a holder of another form takes its place.
    expect([
      fresh(request(agent('x')), EVE),
      fresh(request(), { name: 'bob', groups: [] }),
      fresh(request({ authorization: 'Bearer t' }), EVE),
    ]).toEqual([undefined, undefined, undefined]);
    expect(write({ body: new TextEncoder().encode('{"spec":{"holderIdentity":"m-1"}}') })).toBeUndefined();
    expect(fresh(request(), EVE)).toBeUndefined();
  });

  it('is forgotten as the oldest of 1024 holders', () => {
    const identify = identifier([{ name: 'leader', holder: '*' }] as never);
    const write = (nth: number) =>
      identify(
        request(agent(String(nth)), {
          method: 'POST',
          target: '/apis/coordination.k8s.io/v1/namespaces/default/leases',
          body: new TextEncoder().encode('{"spec":{"holderIdentity":"h"}}'),
        }),
        EVE,
      );
    const isKnown = (nth: number): boolean => identify(request(agent(String(nth))), EVE) !== undefined;
    for (let nth = 0; nth < 1024; nth++) write(nth);
    expect([isKnown(0), isKnown(1023)]).toEqual([true, true]);
    // A holder that is written again is the youngest.
    write(0);
    write(1024);
    expect([isKnown(0), isKnown(1), isKnown(2), isKnown(1024)]).toEqual([true, false, true, true]);
  });
});

describe('the faults on a client', () => {
  const viewing = (...views: readonly (object | undefined)[]) =>
    viewOf({ faults: views.map((view) => (view === undefined ? {} : { view: () => view })) }, 'c', 'Pod');

  it('show what is, where there are none, or what one shows', () => {
    const view = { frozenAt: 3 };
    expect([viewing(), viewing(undefined), viewing(undefined, view, undefined)]).toEqual([{}, {}, view]);
    const asked: unknown[] = [];
    viewOf({ faults: [{ view: (...args: unknown[]) => void asked.push(args) }] as never }, 'c', 'Pod');
    expect(asked).toEqual([['c', 'Pod']]);
  });

  it('show the older of frozen states, and delay by all together', () => {
    const nothing = { heldUntil: 0, readsEveryMs: 0, requestsTakeMs: 0, withoutBookmarks: false };
    expect([
      viewing({ frozenAt: 3, onlyCached: true }, { frozenAt: 5 }),
      viewing({ frozenAt: 5 }, { frozenAt: 3, onlyCached: true }),
      viewing({ frozenAt: 5 }, { heldUntil: 7 }),
      viewing({}, { frozenAt: 5 }),
      viewing(
        { heldUntil: 7, readsEveryMs: 1, requestsTakeMs: 2 },
        { heldUntil: 5, readsEveryMs: 3, requestsTakeMs: 4, withoutBookmarks: true },
      ),
      viewing({ withoutBookmarks: true }, {}),
    ]).toEqual([
      { ...nothing, frozenAt: 3, onlyCached: true },
      { ...nothing, frozenAt: 3, onlyCached: true },
      { ...nothing, frozenAt: 5, onlyCached: false, heldUntil: 7 },
      { ...nothing, frozenAt: 5, onlyCached: false },
      { heldUntil: 7, readsEveryMs: 3, requestsTakeMs: 6, withoutBookmarks: true },
      { ...nothing, withoutBookmarks: true },
    ]);
  });

  it('cut it off until the last of them ends, and delay its changes by their sum', () => {
    const cut = (now: number, ...ends: readonly (number | undefined)[]) =>
      cutUntil({ now, faults: ends.map((end) => (end === undefined ? {} : { cutUntil: () => end })) }, 'c');
    expect([cut(5), cut(5, 7, undefined, 9, 8), cut(9, 9), cut(8, 9)]).toEqual([0, 9, 0, 9]);
    const lag = (...by: readonly (number | undefined)[]) =>
      lagOf({ now: 5, faults: by.map((ms) => (ms === undefined ? {} : { delivery: () => ms })) }, 'c', {} as never);
    expect([lag(), lag(3, undefined, 4)]).toEqual([0, 7]);
  });
});

describe('the kubeconfig of a server', () => {
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const text = (cluster: readonly string[], user: readonly string[]): string =>
    [
      'apiVersion: v1',
      'clusters:',
      '- cluster:',
      ...cluster.map((line) => `    ${line}`),
      '  name: orchsim',
      'contexts:',
      '- context:',
      '    cluster: orchsim',
      '    namespace: default',
      '    user: orchsim',
      '  name: orchsim',
      'current-context: orchsim',
      'kind: Config',
      'users:',
      '- name: orchsim',
      ...user,
      '',
    ].join('\n');

  it('has its address, and the credentials that there are', () => {
    const plain = ['insecure-skip-tls-verify: true', 'server: http://h:1'];
    expect(kubeconfigFor('http://h:1')).toBe(text(plain, ['  user: {}']));
    expect(kubeconfigFor('http://h:1', { token: 't' })).toBe(text(plain, ['  user:', '    token: t']));
    const client = { certificate: 'cert', key: 'key' };
    expect(kubeconfigFor('https://h:1', { ca: 'ca', token: 't', client })).toBe(
      text(
        [`certificate-authority-data: ${base64('ca')}`, 'server: https://h:1'],
        ['  user:', `    client-certificate-data: ${base64('cert')}`, `    client-key-data: ${base64('key')}`, '    token: t'],
      ),
    );
  });
});
