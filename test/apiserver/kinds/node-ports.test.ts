/** Node ports of Services: which are allocated, shared, kept and refused. */
import { envelopeOf } from '../../../src/apiserver/request/index.ts';
import { describe, expect, it } from 'vitest';
import { setup } from '../handlers/setup.ts';
import { create, replace, specOf, PORT, causes } from './service-requests.ts';

describe('node ports', () => {
  const ports = (object: unknown) => (specOf(object).ports ?? []).map(({ nodePort }) => nodePort);
  it('are shared by a port with several protocols, and kept with the port name', () => {
    const world = setup();
    const made = world.ok(
      create('s', {
        type: 'NodePort',
        ports: [
          { name: 'a', port: 53 },
          { name: 'b', port: 53, protocol: 'UDP' },
          { name: 'c', port: 80 },
        ],
      }),
    );
    const [first, second, third] = ports(made);
    expect(first).toBe(second);
    expect(third).not.toBe(first);
    expect(
      ports(
        world.ok(
          replace(made, {
            ...specOf(made),
            ports: [
              { name: 'c', port: 8080 },
              { name: 'new', port: 1 },
            ],
          }),
        ),
      ),
    ).toEqual([third, expect.any(Number)]);
  });

  it('must be free and in the range if requested, except in a dry run', () => {
    const world = setup();
    const asked = (nodePort: number) => ({ type: 'NodePort', ports: [{ port: 80, nodePort }] });
    expect(causes(world, asked(29_999))).toEqual([
      'spec.ports[0].nodePort: Invalid value: 29999: provided port is not in the valid range. The range of valid ports is 30000-32767',
    ]);
    world.ok(create('one', asked(30_080)));
    expect(causes(world, asked(30_080))).toEqual(['spec.ports[0].nodePort: Invalid value: 30080: provided port is already allocated']);
    expect(ports(world.ok({ ...create('dry', asked(29_999)), dryRun: ['All'] }))).toEqual([29_999]);
    expect(
      ports(
        world.ok({
          ...create('dry', {
            type: 'NodePort',
            ports: [
              { name: 'a', port: 1 },
              { name: 'b', port: 2 },
            ],
          }),
          dryRun: ['All'],
        }),
      ),
    ).toEqual([32_769, 32_770]);
  });

  it('are dropped with the other members of the former type', () => {
    const world = setup();
    const made = world.ok(create('s', { type: 'LoadBalancer', ports: PORT, externalTrafficPolicy: 'Local', loadBalancerClass: 'x.io/y' }));
    expect(specOf(made)).toMatchObject({ allocateLoadBalancerNodePorts: true, healthCheckNodePort: expect.any(Number) });
    const balanced = world.ok({
      verb: 'update',
      kind: 'Service',
      namespace: 'default',
      name: 's',
      subresource: 'status',
      body: { ...made, status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
    });
    const plain = world.ok(replace(balanced, { ...specOf(balanced), type: 'ClusterIP' }));
    expect(ports(plain)).toEqual([undefined]);
    expect(Object.keys(specOf(plain)).filter((field) => /[lL]oadBalancer|health|external/.test(field))).toEqual([]);
    expect(plain['status']).toEqual({ loadBalancer: {} });
  });

  it('for health checks are allocated for load balancers with local traffic', () => {
    const world = setup();
    const only =
      "spec.healthCheckNodePort: Invalid value: 31000: may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    expect(causes(world, { ports: PORT, healthCheckNodePort: 31_000 })).toEqual([only]);
    const made = world.ok(create('s', { type: 'LoadBalancer', ports: PORT, externalTrafficPolicy: 'Local', healthCheckNodePort: 31_000 }));
    expect(world.refused(replace(made, { ...specOf(made), healthCheckNodePort: 31_001 })).message).toContain(
      'spec.healthCheckNodePort: Forbidden: field is immutable',
    );
  });

  const two = (a: object = {}, b: object = {}) => [
    { name: 'a', port: 80, ...a },
    { name: 'b', port: 53, ...b },
  ];
  it('of an update must be free, unless the service has them', () => {
    const world = setup();
    world.ok(create('other', { type: 'NodePort', ports: [{ port: 80, nodePort: 30_001 }] }));
    const made = world.ok(create('s', { type: 'NodePort', ports: two({ nodePort: 30_002 }, { nodePort: 30_003 }) }));
    const changed = (of: readonly object[]): unknown => {
      const response = world.server.handle(envelopeOf('client', { ...replace(made, { ...specOf(made), ports: of }), dryRun: ['All'] }));
      if (response.ok) return 'object' in response ? ports(response.object) : [];
      return response.status.details?.causes?.map(({ field, message }) => `${field}: ${message}`) ?? response.status.message;
    };
    const refused = (port: number, why: string): readonly string[] => [`spec.ports[1].nodePort: Invalid value: ${port}: ${why}`];
    expect(changed(two({ nodePort: 30_003 }, { nodePort: 30_002 }))).toEqual([30_003, 30_002]);
    expect(changed(two({ nodePort: 30_002 }, { nodePort: 30_001 }))).toEqual(refused(30_001, 'provided port is already allocated'));
    expect(changed(two({ nodePort: 30_002 }, { nodePort: 30_004 }))).toEqual([30_002, 30_004]);
    expect(changed(two({ nodePort: 30_004 }, { nodePort: 30_004 }))).toBe('duplicate nodePort: {TCP 30004}');
    expect(changed(two({ nodePort: 30_004 }, { nodePort: 30_004, protocol: 'UDP' }))).toEqual([30_004, 30_004]);
    expect(changed(two({ nodePort: 30_002, port: 1 }, { nodePort: 30_003, port: 1 }))).toEqual([
      'spec.ports[1]: Duplicate value: core.ServicePort{Name:"", Protocol:"TCP", AppProtocol:(*string)(nil), Port:1, TargetPort:intstr.IntOrString{Type:0, IntVal:0, StrVal:""}, NodePort:0}',
    ]);
    const outside = world.refused(replace(made, { ...specOf(made), ports: two({ nodePort: 30_002 }, { nodePort: 29_999 }) }));
    expect(outside.details?.causes?.[0]?.message).toContain('provided port is not in the valid range');
  });

  it('of one port with several protocols are those that any of them requests', () => {
    const world = setup();
    const both = (a: object, b: object) => [
      { name: 'a', port: 53, ...a },
      { name: 'b', port: 53, protocol: 'UDP', ...b },
      { name: 'c', port: 80 },
    ];
    const made = (name: string, of: readonly object[]) => ports(world.ok(create(name, { type: 'NodePort', ports: of })));
    expect(made('x', both({}, { nodePort: 30_010 })).slice(0, 2)).toEqual([30_010, 30_010]);
    expect(made('y', both({ nodePort: 30_020 }, {})).slice(0, 2)).toEqual([30_020, 30_020]);
    expect(made('z', both({ nodePort: 30_030 }, { nodePort: 30_031 })).slice(0, 2)).toEqual([30_030, 30_031]);
    expect(causes(world, { type: 'NodePort', ports: both({ nodePort: 30_040 }, { nodePort: 30_010 }) })).toEqual([
      'spec.ports[1].nodePort: Invalid value: 30010: provided port is already allocated',
    ]);
  });

  it('are chosen for a load balancer unless it says otherwise, and kept where it asks for them', () => {
    const world = setup();
    const balanced = (name: string, more: object, of = two()) =>
      ports(world.ok(create(name, { type: 'LoadBalancer', ports: of, ...more })));
    expect(balanced('a', {})).toEqual([expect.any(Number), expect.any(Number)]);
    expect(balanced('b', { allocateLoadBalancerNodePorts: false })).toEqual([undefined, undefined]);
    expect(balanced('c', { allocateLoadBalancerNodePorts: false }, two({ nodePort: 30_500 }))).toEqual([30_500, undefined]);
    expect(balanced('d', { allocateLoadBalancerNodePorts: true }, two({ nodePort: 30_501 }))[0]).toBe(30_501);
    const later = world.store.get('Service', 'default/b');
    if (later === undefined) throw new Error('no service b');
    expect(ports(world.ok(replace(later, { ...specOf(later), ports: two({ nodePort: 30_502 }) })))).toEqual([30_502, undefined]);
  });

  it('for health checks that are requested must be free', () => {
    const world = setup();
    const local = (healthCheckNodePort: number) => ({
      type: 'LoadBalancer',
      ports: PORT,
      externalTrafficPolicy: 'Local',
      healthCheckNodePort,
    });
    world.ok(create('a', local(31_000)));
    expect(world.refused(create('b', local(31_000))).message).toBe(
      'Internal error occurred: failed to allocate requested HealthCheck NodePort 31000: provided port is already allocated',
    );
    expect(world.refused(create('b', local(29_999))).message).toBe(
      'Internal error occurred: failed to allocate requested HealthCheck NodePort 29999: provided port is not in the valid range. The range of valid ports is 30000-32767',
    );
    const own = { ...local(31_001), ports: [{ port: 80, nodePort: 31_001 }] };
    expect(world.refused(create('b', own)).message).toContain('HealthCheck NodePort 31001: provided port is already allocated');
  });
});
