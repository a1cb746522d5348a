import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import { setup } from '../handlers/setup.ts';
import { body, create, replace, specOf, PORT, causes } from './service-requests.ts';

describe('addresses of services', () => {
  it('are allocated, kept by updates that omit them, and released by deletion', () => {
    const world = setup();
    const made = world.ok(create('a', { ports: PORT }));
    const { clusterIP, clusterIPs } = specOf(made);
    expect(clusterIPs).toEqual([clusterIP]);
    const { clusterIP: _, clusterIPs: __, ipFamilies: ___, ipFamilyPolicy: ____, ...rest } = specOf(made);
    expect(specOf(world.ok(replace(made, rest)))).toEqual(specOf(made));
    expect(causes(world, { ports: PORT, clusterIP })).toEqual([
      `spec.clusterIPs: Invalid value: []string{"${clusterIP}"}: failed to allocate IP ${clusterIP}: provided IP is already allocated`,
    ]);
    world.server.handle(envelopeOf('client', { verb: 'delete', kind: 'Service', namespace: 'default', name: 'a' }));
    expect(specOf(world.ok(create('s', { ports: PORT, clusterIP }))).clusterIP).toBe(clusterIP);
  });

  it('are allocated above the first sixteen while any are free, with the gate ServiceIPStaticSubrange', () => {
    const world = setup('k8s.io', { ServiceIPStaticSubrange: true });
    const given = Array.from({ length: 240 }, (_, at) => specOf(world.ok(create(`s${at}`, { ports: PORT }))).clusterIP);
    expect([given[0], given[237], given[238]]).toEqual(['10.0.0.17', '10.0.0.254', '10.0.0.1']);
    const first = specOf(setup().ok(create('s', { ports: PORT }))).clusterIP;
    expect(first).toMatch(/^10\.0\.0\.[12]$/);
  });

  it('continue beyond the range of requested addresses', () => {
    const world = setup();
    const given = Array.from({ length: 255 }, (_, at) => specOf(world.ok(create(`s${at}`, { ports: PORT }))).clusterIP);
    expect(new Set(given).size).toBe(255);
    expect(given[254]).toBe('10.0.1.0');
    expect(causes(world, { ports: PORT, clusterIP: '10.0.1.9' })[0]).toContain('The range of valid IPs is 10.0.0.0/24');
  });

  it('may be set in both fields if they agree', () => {
    const world = setup();
    expect(causes(world, { ports: PORT, clusterIP: '10.0.0.77', clusterIPs: ['10.0.0.78'] })).toEqual([
      'spec.clusterIPs: Invalid value: []string{"10.0.0.78"}: first value must match `clusterIP`',
    ]);
    expect(causes(world, { ports: PORT, clusterIPs: ['10.0.0.78'] })).toEqual([
      'spec.clusterIPs: Invalid value: []string{"10.0.0.78"}: must be empty when `clusterIP` is not specified',
    ]);
    expect(causes(world, { ports: PORT, clusterIP: 'None', clusterIPs: ['None', '10.0.0.1'] })).toEqual([
      'spec.clusterIPs: Invalid value: []string{"None", "10.0.0.1"}: \'None\' must be the first and only value',
    ]);
  });

  it('are immutable, except to and from ExternalName', () => {
    const world = setup();
    const made = world.ok(create('s', { ports: PORT, clusterIP: '10.0.0.7' }));
    expect(
      world
        .refused(replace(made, { ...specOf(made), clusterIP: '10.0.0.8', clusterIPs: ['10.0.0.8'] }))
        .details?.causes?.map(({ field, message }) => `${field}: ${message}`),
    ).toEqual(['spec.clusterIPs[0]: Invalid value: []string{"10.0.0.8"}: may not change once set']);
    const named = world.ok(replace(made, { ...specOf(made), type: 'ExternalName', externalName: 'x.io' }));
    expect(specOf(named)).toMatchObject({ type: 'ExternalName', externalName: 'x.io' });
    expect(Object.keys(specOf(named)).filter((field) => /cluster|Famil/.test(field))).toEqual([]);
    expect(specOf(world.ok(replace(named, { ...specOf(named), type: 'ClusterIP' }))).clusterIPs).toHaveLength(1);
  });
});

describe('IP families of services', () => {
  it('are the family of the cluster, or both without a selector', () => {
    const world = setup();
    const families = (name: string, spec: object) => {
      const { ipFamilies, ipFamilyPolicy } = specOf(world.ok(create(name, spec)));
      return [ipFamilies, ipFamilyPolicy];
    };
    expect(families('a', { ports: PORT, ipFamilyPolicy: 'PreferDualStack' })).toEqual([['IPv4'], 'PreferDualStack']);
    expect(families('b', { clusterIP: 'None' })).toEqual([['IPv4', 'IPv6'], 'RequireDualStack']);
    expect(families('c', { clusterIP: 'None', ipFamilies: ['IPv6'] })).toEqual([['IPv6', 'IPv4'], 'RequireDualStack']);
    expect(families('d', { clusterIP: 'None', selector: { a: 'b' } })).toEqual([['IPv4'], 'SingleStack']);
  });

  it('that the cluster does not have are refused before other checks', () => {
    const world = setup();
    expect(causes(world, { ipFamilyPolicy: 'RequireDualStack' })).toEqual([
      'spec.ipFamilyPolicy: Invalid value: "RequireDualStack": this cluster is not configured for dual-stack services',
    ]);
    expect(causes(world, { ports: PORT, ipFamilies: ['IPv6'] })).toEqual([
      'spec.ipFamilies[0]: Invalid value: "IPv6": not configured on this cluster',
    ]);
    expect(causes(world, { ports: PORT, ipFamilies: ['IPv6'], clusterIP: '10.0.0.5' })).toEqual([
      'spec.clusterIPs[0]: Invalid value: "10.0.0.5": expected an IPv6 value as indicated by `ipFamilies[0]`',
    ]);
  });
});

describe('rules of services', () => {
  const NEVER = 'may not be set for ExternalName services';
  const BALANCERS = "Forbidden: may only be used when `type` is 'LoadBalancer'";
  const cases: readonly {
    readonly title: string;
    readonly spec: object;
    readonly metadata?: object;
    readonly expected: readonly string[];
  }[] = [
    {
      title: 'a name outside has no address',
      spec: { type: 'ExternalName', externalName: 'x', clusterIP: 'None', ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' },
      expected: [
        `spec.clusterIPs: Forbidden: ${NEVER}`,
        `spec.ipFamilies: Forbidden: ${NEVER}`,
        `spec.ipFamilyPolicy: Forbidden: ${NEVER}`,
      ],
    },
    {
      title: 'the agents are not laid open',
      spec: { type: 'LoadBalancer', ports: [{ port: 10_250 }] },
      expected: ['spec.ports[0]: Invalid value: 10250: may not expose port 10250 externally since it is used by kubelet'],
    },
    {
      title: 'outer addresses are ordinary ones',
      spec: { ports: PORT, externalIPs: ['127.0.0.1', 'x'] },
      expected: [
        'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
        'spec.externalIPs[1]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
      ],
    },
    {
      title: 'sources are ranges, of load balancers',
      spec: { ports: PORT, loadBalancerSourceRanges: ['x', 'y'] },
      expected: [
        `spec.LoadBalancerSourceRanges: ${BALANCERS}`,
        'spec.LoadBalancerSourceRanges: Invalid value: "[x y]": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    },
    {
      title: 'the older annotation is held to the same',
      spec: { type: 'LoadBalancer', ports: PORT },
      metadata: { annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8,x' } },
      expected: [
        'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "10.0.0.0/8,x": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    },
    {
      title: 'fields of load balancers are theirs alone',
      spec: { ports: PORT, allocateLoadBalancerNodePorts: true, loadBalancerClass: 'x' },
      expected: [`spec.allocateLoadBalancerNodePorts: ${BALANCERS}`, `spec.loadBalancerClass: ${BALANCERS}`],
    },
    {
      title: 'policies have two words',
      spec: { type: 'NodePort', ports: PORT, externalTrafficPolicy: 'X', internalTrafficPolicy: 'Y' },
      expected: [
        'spec.externalTrafficPolicy: Unsupported value: "X": supported values: "Cluster", "Local"',
        'spec.internalTrafficPolicy: Unsupported value: "Y": supported values: "Cluster", "Local"',
      ],
    },
    {
      title: 'a node port comes once for a protocol',
      spec: {
        ports: [
          { name: 'a', port: 1, nodePort: 30_001 },
          { name: 'b', port: 2, nodePort: 30_001 },
        ],
      },
      expected: [
        "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
        "spec.ports[1].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
        'spec.ports[1].nodePort: Duplicate value: 30001',
      ],
    },
  ];
  it.each(cases)('$title', ({ spec, metadata, expected }) => {
    expect(causes(setup(), spec, metadata)).toEqual(expected);
  });

  it('drop the configuration of a missing affinity, and create on update', () => {
    const world = setup();
    const put = world.ok({
      verb: 'update',
      kind: 'Service',
      namespace: 'default',
      name: 's',
      body: body('s', { ports: PORT, sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } }),
    });
    expect(specOf(put).sessionAffinityConfig).toBeUndefined();
    expect(
      world
        .refused({
          verb: 'update',
          kind: 'Service',
          namespace: 'default',
          name: 's',
          subresource: 'status',
          body: { ...put, status: { loadBalancer: { ingress: [{ ip: 'x' }, { hostname: '1.2.3.4' }] } } },
        })
        .details?.causes?.map(({ field }) => field),
    ).toEqual(['status.loadBalancer.ingress[0].ip', 'status.loadBalancer.ingress[1].hostname']);
  });

  it('keep the class of a load balancer', () => {
    const world = setup();
    const made = world.ok(create('s', { type: 'LoadBalancer', ports: PORT, loadBalancerClass: 'x.io/y' }));
    const { loadBalancerClass: _, ...rest } = specOf(made);
    expect(world.refused(replace(made, rest)).message).toBe(
      'Service "s" is invalid: spec.loadBalancerClass: Invalid value: "null": may not change once set',
    );
  });
});
