/** Whether a connection is allowed, with the reasons of both ends, as users read them. */
import { describe, expect, it } from 'vitest';
import { mayPass } from '../../../src/apiserver/decisions/index.ts';
import type { NetworkPolicy, Pod } from '../../../src/apiserver/kinds/index.ts';
import { stored } from './objects.ts';

describe('a connection', () => {
  const pod = (name: string, more: Readonly<Record<string, unknown>> = {}, spec: object = {}, status: object = {}): Pod =>
    stored(
      'Pod',
      name,
      {
        spec: { nodeName: 'n', containers: [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: 8080 }] }], ...spec },
        status: { podIP: '10.0.0.9', hostIP: '192.168.0.1', ...status },
      },
      more,
    );
  const policy = (name: string, spec: object): NetworkPolicy => stored('NetworkPolicy', name, { spec: { podSelector: {}, ...spec } });
  const view = (...policies: readonly NetworkPolicy[]) => ({ policies: () => policies, namespaceLabels: () => ({ team: 'a' }) });
  const db = pod('db');

  it('of nothing that is a pod is allowed', () => {
    const node = { node: stored('Node', 'n', {}) };
    expect(mayPass({ from: { ip: '1.2.3.4' }, to: node, port: 1 }, view(policy('p', {})))).toEqual({
      allowed: true,
      why: 'neither 1.2.3.4 nor node n is a pod',
      by: [],
    });
    expect(mayPass({ from: { pod: db }, to: { pod: db }, port: 1 }, view(policy('p', { policyTypes: ['Egress', 'Ingress'] })))).toEqual({
      allowed: true,
      why: 'Pod default/db reaches itself',
      by: [],
    });
  });

  it('is decided for the sender first, then for the receiver, with each reason', () => {
    const both = policy('both', { policyTypes: ['Ingress', 'Egress'], ingress: [{}], egress: [{}] });
    const [from, to] = [{ pod: pod('web') }, { pod: db }];
    expect(mayPass({ from, to, port: 80 }, view(both))).toEqual({
      allowed: true,
      why: 'egress[0] of policy default/both allows it; ingress[0] of policy default/both allows it',
      by: ['default/both'],
    });
    const closed = policy('closed', { policyTypes: ['Egress'] });
    expect(mayPass({ from, to, port: 80 }, view(closed))).toEqual({
      allowed: false,
      why: 'Pod default/web is isolated for egress, and policy default/closed has no rule that allows it',
      by: ['default/closed'],
    });
    expect(mayPass({ from: { ip: '1.2.3.4' }, to, port: 80 }, view())).toEqual({
      allowed: true,
      why: 'no policy selects Pod default/db for ingress',
      by: [],
    });
    expect(mayPass({ from, to: { ip: '1.2.3.4' }, port: 80 }, view()).why).toBe('no policy selects Pod default/web for egress');
  });

  it('from the own node is accepted, by name or by address', () => {
    const closed = view(policy('closed', {}));
    const [to, accepted] = [{ pod: db }, { allowed: true, why: 'Pod default/db always accepts traffic from its own node', by: [] }];
    const onHost = pod('host', {}, { hostNetwork: true }, { podIP: '', podIPs: [{ ip: '192.168.0.1' }] });
    const address = (ip: string) => mayPass({ from: { ip }, to, port: 1 }, closed).allowed;
    expect(mayPass({ from: { node: stored('Node', 'n', {}) }, to, port: 1 }, closed)).toEqual(accepted);
    expect(mayPass({ from: { pod: onHost }, to, port: 1 }, closed)).toEqual(accepted);
    expect([address('192.168.0.1'), address('::ffff:192.168.0.1'), address('192.168.0.2'), address('x')]).toEqual([
      true,
      true,
      false,
      false,
    ]);
    const lost = pod('lost', {}, { nodeName: undefined }, { hostIP: undefined });
    const unplaced = pod('unplaced', {}, { nodeName: undefined, hostNetwork: true }, {});
    expect(mayPass({ from: { pod: unplaced }, to: { pod: lost }, port: 1 }, closed).allowed).toBe(false);
  });

  it.each<[object, number, string | undefined, boolean]>([
    [{}, 1, undefined, true],
    [{ protocol: 'UDP' }, 1, undefined, false],
    [{ protocol: 'UDP' }, 1, 'UDP', true],
    [{ port: 80 }, 80, undefined, true],
    [{ port: 80 }, 81, undefined, false],
    [{ port: 80, endPort: 82 }, 79, undefined, false],
    [{ port: 80, endPort: 82 }, 80, undefined, true],
    [{ port: 80, endPort: 82 }, 82, undefined, true],
    [{ port: 80, endPort: 82 }, 83, undefined, false],
    [{ port: 'http' }, 8080, undefined, true],
    [{ port: 'http' }, 80, undefined, false],
    [{ port: 'https' }, 8080, undefined, false],
    [{ port: 'http', protocol: 'UDP' }, 8080, 'UDP', false],
  ])('to the port %j: %d %s is allowed: %s', (port, at, protocol, allowed) => {
    const rule = view(policy('p', { ingress: [{ ports: [port] }] }));
    expect(mayPass({ from: { ip: '1.2.3.4' }, to: { pod: db }, port: at, protocol }, rule).allowed).toBe(allowed);
  });
});
