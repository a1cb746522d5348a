import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mayPass, type PolicyView, type TrafficDecision, type TrafficEnd } from '../../../src/apiserver/decisions/index.ts';
import type { NetworkPolicy, Pod } from '../../../src/apiserver/kinds/index.ts';
import { stored } from './objects.ts';

const pod = (name: string, labels: Record<string, string>, ip: string, spec: object = {}): Pod =>
  stored(
    'Pod',
    name,
    {
      spec: {
        nodeName: 'node-1',
        containers: [
          {
            name: 'c',
            image: 'i',
            ports: [
              { name: 'http', containerPort: 8080 },
              { name: 'dns', containerPort: 53, protocol: 'UDP' },
            ],
          },
        ],
        ...spec,
      },
      status: { podIP: ip, podIPs: [{ ip }], hostIP: '192.168.0.1' },
    },
    { labels },
  );
const policy = (name: string, spec: object): NetworkPolicy => stored('NetworkPolicy', name, { spec: { podSelector: {}, ...spec } });

const web = pod('web', { app: 'web' }, '10.0.0.1');
const db = pod('db', { app: 'db' }, '10.0.0.2');
const far = pod('other/far', { app: 'web' }, '10.0.1.1', { nodeName: 'node-2' });
const onHost = pod('other/host', { app: 'web' }, '192.168.0.2', { nodeName: 'node-2', hostNetwork: true });
const node = (name: string, address: string) => ({
  node: stored('Node', name, { status: { addresses: [{ type: 'InternalIP', address }] } }),
});
const NAMESPACES: Readonly<Record<string, Record<string, string>>> = { default: { team: 'a' }, other: { team: 'b' } };

const view = (policies: readonly NetworkPolicy[]): PolicyView => ({
  policies: (namespace) => policies.filter(({ metadata }) => metadata.namespace === namespace),
  namespaceLabels: (namespace) => NAMESPACES[namespace],
});
const ask = (policies: readonly NetworkPolicy[], from: TrafficEnd, to: TrafficEnd, port = 8080, protocol?: string): TrafficDecision =>
  mayPass({ from, to, port, protocol }, view(policies));
const passes = (...args: Parameters<typeof ask>): boolean => ask(...args).allowed;

describe('pods that are selected', () => {
  it('are open until a policy selects them', () => {
    expect(ask([], { pod: web }, { pod: db })).toEqual({
      allowed: true,
      why: 'no policy selects Pod default/web for egress; no policy selects Pod default/db for ingress',
      by: [],
    });
    expect(passes([policy('p', { podSelector: { matchLabels: { app: 'web' } } })], { pod: web }, { pod: db })).toBe(true);
    expect(passes([policy('other/p', {})], { pod: web }, { pod: db })).toBe(true);
  });

  it('receive nothing without a rule, and the reason names the isolating policy', () => {
    const closed = [policy('closed', {}), policy('closed-too', { ingress: [] })];
    expect(ask(closed, { pod: web }, { pod: db })).toEqual({
      allowed: false,
      why: 'Pod default/db is isolated for ingress, and none of the policies default/closed, default/closed-too has a rule that allows it',
      by: ['default/closed', 'default/closed-too'],
    });
  });

  it('receive what any rule of any policy allows: policies are additive', () => {
    const opened = policy('opened', { ingress: [{ ports: [{ port: 1 }] }, { from: [{ podSelector: { matchLabels: { app: 'web' } } }] }] });
    expect(ask([policy('closed', {}), opened], { pod: web }, { pod: db })).toEqual({
      allowed: true,
      why: 'no policy selects Pod default/web for egress; ingress[1] of policy default/opened allows it',
      by: ['default/opened'],
    });
  });

  it('name the rule that nearly matched', () => {
    const rules = policy('p', {
      ingress: [
        {
          from: [{ podSelector: {} }],
          ports: [
            { port: 9000, endPort: 9100 },
            { port: 'dns', protocol: 'UDP' },
          ],
        },
      ],
    });
    expect(ask([rules], { pod: web }, { pod: db }).why).toContain(
      '(ingress[0] of policy default/p matches Pod default/web, but allows only TCP 9000-9100, UDP dns)',
    );
    expect(ask([rules], { pod: far }, { pod: db }, 9050).why).toContain(
      '(ingress[0] of policy default/p allows TCP 9050, but not with Pod other/far)',
    );
  });

  it('receive from their own node regardless of policies, and from no other; and reach themselves', () => {
    const closed = [policy('closed', { policyTypes: ['Ingress', 'Egress'] })];
    expect(passes(closed, node('node-1', '192.168.0.1'), { pod: db })).toBe(true);
    expect(passes(closed, { ip: '192.168.0.1' }, { pod: db })).toBe(true);
    expect(passes(closed, node('node-2', '192.168.0.2'), { pod: db })).toBe(false);
    expect(passes(closed, { pod: db }, node('node-1', '192.168.0.1'))).toBe(false);
    expect(passes(closed, { pod: db }, { pod: db })).toBe(true);
  });
});

describe('policyTypes', () => {
  const egress = [{ ports: [{ port: 443 }] }];
  it.each([
    ['absent, no egress section', {}, false, true],
    ['absent, an egress section', { egress }, false, false],
    ['absent, an empty egress section: to deny all, Egress must be listed', { egress: [] }, false, true],
    ['Ingress alone, an egress section', { policyTypes: ['Ingress'], egress }, false, true],
    ['Egress alone', { policyTypes: ['Egress'] }, true, false],
    ['both', { policyTypes: ['Ingress', 'Egress'] }, false, false],
  ])('%s', (_, spec, comesIn, goesOut) => {
    const selecting = [policy('p', { podSelector: { matchLabels: { app: 'db' } }, ...spec })];
    expect([passes(selecting, { pod: far }, { pod: db }), passes(selecting, { pod: db }, { pod: far })]).toEqual([comesIn, goesOut]);
  });

  it('are derived for objects without server defaults', () => {
    const raw = { metadata: { namespace: 'default', name: 'raw' }, spec: { podSelector: {}, egress } } as unknown as NetworkPolicy;
    expect([passes([raw], { pod: far }, { pod: db }), passes([raw], { pod: db }, { pod: far })]).toEqual([false, false]);
  });
});

describe('both ends', () => {
  it('must agree', () => {
    const send = policy('send', {
      podSelector: { matchLabels: { app: 'web' } },
      policyTypes: ['Egress'],
      egress: [{ to: [{ podSelector: { matchLabels: { app: 'db' } } }] }],
    });
    const take = policy('take', { podSelector: { matchLabels: { app: 'db' } }, ingress: [{ from: [{ podSelector: {} }] }] });
    const refuse = policy('refuse', { podSelector: { matchLabels: { app: 'db' } } });
    expect(ask([send, take], { pod: web }, { pod: db }).by).toEqual(['default/send', 'default/take']);
    expect(passes([send, refuse], { pod: web }, { pod: db })).toBe(false);
    expect(passes([send, take], { pod: web }, { pod: far })).toBe(false);
  });
});

describe('peers', () => {
  const from = (...peers: readonly object[]) => [policy('p', { podSelector: { matchLabels: { app: 'db' } }, ingress: [{ from: peers }] })];
  it.each<[string, readonly object[], boolean, boolean, boolean]>([
    // a web pod here, a web pod of another namespace, an address outside
    ['an empty list matches everything', [], true, true, true],
    ['an empty podSelector: every pod of the policy’s namespace', [{ podSelector: {} }], true, false, false],
    ['a podSelector: these pods of the own namespace', [{ podSelector: { matchLabels: { app: 'web' } } }], true, false, false],
    ['a podSelector without a match', [{ podSelector: { matchLabels: { app: 'x' } } }], false, false, false],
    ['an empty namespaceSelector: every pod of every namespace', [{ namespaceSelector: {} }], true, true, false],
    ['a namespaceSelector: all pods of these namespaces', [{ namespaceSelector: { matchLabels: { team: 'b' } } }], false, true, false],
    [
      'both: these pods in these namespaces',
      [{ namespaceSelector: { matchLabels: { team: 'b' } }, podSelector: { matchLabels: { app: 'web' } } }],
      false,
      true,
      false,
    ],
    [
      'both, without a match',
      [{ namespaceSelector: { matchLabels: { team: 'b' } }, podSelector: { matchLabels: { app: 'db' } } }],
      false,
      false,
      false,
    ],
    ['an ipBlock', [{ ipBlock: { cidr: '203.0.113.0/24' } }], false, false, true],
    ['an ipBlock with an exception', [{ ipBlock: { cidr: '203.0.113.0/24', except: ['203.0.113.0/28'] } }], false, false, false],
    ['an ipBlock around pods', [{ ipBlock: { cidr: '10.0.0.0/16' } }], true, true, false],
    ['an ipBlock of the other IP family', [{ ipBlock: { cidr: '::/0' } }], false, false, false],
    ['items are alternatives', [{ ipBlock: { cidr: '203.0.113.7/32' } }, { podSelector: {} }], true, false, true],
  ])('%s', (_, peers, here, there, outside) => {
    const policies = from(...peers);
    expect([
      passes(policies, { pod: web }, { pod: db }),
      passes(policies, { pod: far }, { pod: db }),
      passes(policies, { ip: '203.0.113.7' }, { pod: db }),
    ]).toEqual([here, there, outside]);
  });

  it('on the network of a node are that node to selectors, and its address to ipBlocks', () => {
    expect(passes(from({ namespaceSelector: {} }), { pod: onHost }, { pod: db })).toBe(false);
    expect(passes(from({ ipBlock: { cidr: '192.168.0.2/32' } }), { pod: onHost }, { pod: db })).toBe(true);
    expect(passes([policy('other/p', {})], { pod: web }, { pod: onHost })).toBe(true);
  });
});

describe('ports', () => {
  const open = (...ports: readonly object[]) => [policy('p', { podSelector: { matchLabels: { app: 'db' } }, ingress: [{ ports }] })];
  it.each<[string, readonly object[], number, string | undefined, boolean]>([
    ['an empty list allows all', [], 7, 'SCTP', true],
    ['a number', [{ port: 80 }], 80, undefined, true],
    ['another number', [{ port: 80 }], 81, undefined, false],
    ['TCP by default', [{ port: 80 }], 80, 'UDP', false],
    ['the given protocol', [{ port: 80, protocol: 'SCTP' }], 80, 'SCTP', true],
    ['no port: all of the protocol', [{ protocol: 'UDP' }], 7, 'UDP', true],
    ['no port: none of another protocol', [{ protocol: 'UDP' }], 7, 'TCP', false],
    ['the first of a range', [{ port: 80, endPort: 90 }], 80, undefined, true],
    ['the last of a range', [{ port: 80, endPort: 90 }], 90, undefined, true],
    ['past a range', [{ port: 80, endPort: 90 }], 91, undefined, false],
    ["a name of the pod's", [{ port: 'http' }], 8080, undefined, true],
    ['a name, another port', [{ port: 'http' }], 80, undefined, false],
    ['a name of another protocol', [{ port: 'dns' }], 53, 'TCP', false],
    ['a name of this protocol', [{ port: 'dns', protocol: 'UDP' }], 53, 'UDP', true],
    ['a name the pod does not have', [{ port: 'sql' }], 8080, undefined, false],
    ['items are alternatives', [{ port: 1 }, { port: 2 }], 2, undefined, true],
  ])('%s', (_, ports, port, protocol, allowed) => {
    expect(passes(open(...ports), { pod: web }, { pod: db }, port, protocol)).toBe(allowed);
  });

  it('must match together with the peer of the same rule', () => {
    const two = [
      policy('p', {
        podSelector: { matchLabels: { app: 'db' } },
        ingress: [
          { from: [{ podSelector: {} }], ports: [{ port: 1 }] },
          { from: [{ namespaceSelector: {} }], ports: [{ port: 2 }] },
        ],
      }),
    ];
    expect([passes(two, { pod: far }, { pod: db }, 1), passes(two, { pod: far }, { pod: db }, 2)]).toEqual([false, true]);
  });

  it('named in egress rules are those of the receiver; an external address has none', () => {
    const out = [policy('p', { policyTypes: ['Egress'], egress: [{ ports: [{ port: 'http' }] }] })];
    expect([passes(out, { pod: web }, { pod: db }, 8080), passes(out, { pod: web }, { ip: '203.0.113.7' }, 8080)]).toEqual([true, false]);
  });
});

describe('for any policies', () => {
  const label = fc.constantFrom({ app: 'web' }, { app: 'db' }, {});
  const peer = fc.oneof(
    label.map((matchLabels) => ({ podSelector: { matchLabels } })),
    fc.constantFrom({ namespaceSelector: {} }, { namespaceSelector: { matchLabels: { team: 'b' } } }, { ipBlock: { cidr: '10.0.0.0/24' } }),
  );
  const port = fc.constantFrom({ port: 8080 }, { port: 'http' }, { port: 1, endPort: 9000 }, { protocol: 'UDP' });
  const rule = (peers: 'from' | 'to') => fc.record({ [peers]: fc.array(peer, { maxLength: 2 }), ports: fc.array(port, { maxLength: 2 }) });
  const any = fc
    .record({
      podSelector: label.map((matchLabels) => ({ matchLabels })),
      policyTypes: fc.subarray(['Ingress', 'Egress']),
      ingress: fc.array(rule('from'), { maxLength: 2 }),
      egress: fc.array(rule('to'), { maxLength: 2 }),
    })
    .map((spec) => policy('p', spec));
  const end = fc.constantFrom<TrafficEnd>({ pod: web }, { pod: db }, { pod: far }, { ip: '203.0.113.7' });

  it('their order does not matter, and one that selects already isolated pods never takes anything away', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), any, end, end, (policies, more, from, to) => {
        const now = passes(policies, from, to);
        expect(passes(policies.toReversed(), from, to)).toBe(now);
        const closed = [policy('all', { policyTypes: ['Ingress', 'Egress'] }), ...policies];
        if (passes(closed, from, to)) expect(passes([...closed, more], from, to)).toBe(true);
      }),
      { numRuns: 200 },
    );
  });

  it('the denying policies are named, and the reason is never empty', () => {
    fc.assert(
      fc.property(fc.array(any, { maxLength: 4 }), end, end, (policies, from, to) => {
        const { allowed, why, by } = ask(policies, from, to);
        return why !== '' && (allowed || by.length > 0);
      }),
      { numRuns: 200 },
    );
  });
});
