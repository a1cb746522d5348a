/** Members that are right by themselves, and wrong together. */
import { describe, expect, it } from 'vitest';
import { clusterAddressErrors } from '../../../../src/apiserver/kinds/service/families.ts';
import type { ObjectInput } from '../../../../src/apiserver/machinery/index.ts';
import { base64OfText, problemText } from '../../../../src/schema/values/index.ts';
import { setup } from '../../handlers/setup.ts';
import { causesOf, causesOfUpdate, check } from './causes.ts';
import { checkChanges } from './changes.ts';

const object = (apiVersion: string, kind: string, rest: object, metadata: object = {}): object => ({
  apiVersion,
  kind,
  metadata: { name: 'x', ...metadata },
  ...rest,
});
describe('a Service', () => {
  const service = (spec: object, metadata: object = {}): object =>
    object('v1', 'Service', { spec: { ports: [{ port: 80 }], ...spec } }, metadata);
  const MIXED = [
    { name: 'a', port: 80 },
    { name: 'b', port: 80, protocol: 'UDP' },
  ];
  const closed = setup('k8s.io', { MixedProtocolLBService: false });
  const one =
    /^spec\.ports: Invalid value: \[\]core\.ServicePort\{core\.ServicePort\{Name:"a", .*\}: may not contain more than 1 protocol when type is 'LoadBalancer'$/;
  it('that balances has ports of one protocol where the gate is off, unless it had several', () => {
    expect(causesOf(service({ type: 'LoadBalancer', ports: MIXED }), closed)).toEqual([expect.stringMatching(one)]);
    expect(causesOf(service({ type: 'ClusterIP', ports: MIXED }), closed)).toEqual([]);
    expect(causesOf(service({ type: 'LoadBalancer', ports: [MIXED[0]] }), closed)).toEqual([]);
    expect(causesOf(service({ type: 'LoadBalancer', ports: MIXED }))).toEqual([]);
    const to = (spec: object) => (made: object) => ({ ...made, spec: { ...(made as { readonly spec: object }).spec, ...spec } });
    const balanced = (name: string) => service({ type: 'LoadBalancer', ports: [MIXED[0]] }, { name });
    expect(causesOfUpdate(balanced('y'), to({ ports: MIXED }), closed)).toEqual([expect.stringMatching(one)]);
    expect(causesOfUpdate(service({ ports: MIXED }, { name: 'z' }), to({ type: 'LoadBalancer' }), closed)).toEqual([]);
  });
  check([
    [
      'has each node port once',
      service({
        type: 'NodePort',
        ports: [
          { name: 'a', port: 1, nodePort: 30_000 },
          { name: 'b', port: 2, nodePort: 30_000, protocol: 'UDP' },
        ],
      }),
      ['spec.ports[1].nodePort: Invalid value: 30000: provided port is already allocated'],
    ],
    [
      'has node ports where it is reached by them',
      service({ ports: [{ port: 1, nodePort: 30_000 }] }),
      ["spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'"],
    ],
    [
      'has names of ports where it has several',
      service({ ports: [{ port: 1 }, { name: 'b', port: 2 }] }),
      ['spec.ports[0].name: Required value'],
    ],
    [
      'has each name once',
      service({
        ports: [
          { name: 'b', port: 1 },
          { name: 'b', port: 2 },
        ],
      }),
      ['spec.ports[1].name: Duplicate value: "b"'],
    ],
    ['has ports', service({ ports: [] }), ['spec.ports: Required value']],
    ['without an address needs none', service({ ports: [], clusterIP: 'None' }), []],
    [
      'has source ranges of a load balancer',
      service({ type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8', ' 11.0.0.0/8 '] }),
      [],
    ],
    [
      'has source ranges in an annotation',
      service(
        { type: 'LoadBalancer' },
        { annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8, 11.0.0.0/8' } },
      ),
      [],
    ],
    [
      'has none in an empty annotation',
      service({ type: 'LoadBalancer' }, { annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': ' ' } }),
      [],
    ],
    [
      'has ranges in the annotation',
      service({ type: 'LoadBalancer' }, { annotations: { 'service.beta.kubernetes.io/load-balancer-source-ranges': '10.0.0.0/8,x' } }),
      [
        'metadata.annotations[service.beta.kubernetes.io/load-balancer-source-ranges]: Invalid value: "10.0.0.0/8,x": must be a list of IP ranges. For example, 10.240.0.0/24,10.250.0.0/24 ',
      ],
    ],
  ]);

  it.each<[spec: object, errors: readonly string[]]>([
    [{ clusterIP: '1.1.1.1' }, ['spec.clusterIPs: Required value']],
    [{ clusterIPs: ['1.1.1.1'] }, ['spec.clusterIPs: Invalid value: []string{"1.1.1.1"}: must be empty when `clusterIP` is not specified']],
    [
      { clusterIP: '1.1.1.1', clusterIPs: ['1.1.1.2'] },
      ['spec.clusterIPs: Invalid value: []string{"1.1.1.2"}: first value must match `clusterIP`'],
    ],
    [{ clusterIP: '1.1.1.1', clusterIPs: ['1.1.1.1'] }, []],
    [{ type: 'ExternalName', clusterIP: '1.1.1.1' }, []],
  ])('has its address in both fields: %j', (spec, errors) => {
    expect(clusterAddressErrors({ spec: { type: 'ClusterIP', ...spec } as never }).map(problemText)).toEqual(errors);
  });
});

describe('a pod', () => {
  const pod = (spec: object = {}): object => object('v1', 'Pod', { spec: { containers: [{ name: 'c', image: 'i' }], ...spec } });
  const deadline = (activeDeadlineSeconds: number | null): object => ({ spec: { activeDeadlineSeconds } });
  const wrong = (value: string, why: string): string => `spec.activeDeadlineSeconds: Invalid value: ${value}: ${why}`;
  checkChanges([
    ['gets a deadline', pod(), deadline(5), []],
    ['gets an earlier deadline', pod({ activeDeadlineSeconds: 5 }), deadline(4), []],
    ['keeps its deadline', pod({ activeDeadlineSeconds: 5 }), deadline(5), []],
    [
      'gets no later deadline',
      pod({ activeDeadlineSeconds: 5 }),
      deadline(6),
      [wrong('6', 'must be less than or equal to previous value')],
    ],
    ['gets a deadline of 32 bits', pod(), deadline(2_147_483_647), []],
    [
      'is not given another node by its status',
      pod(),
      { spec: { nodeName: 'n' }, status: { phase: 'Running' } },
      [],
      { subresource: 'status' },
    ],
  ]);
});

describe('a namespace', () => {
  it('that is deleted stays in that phase', () => {
    const world = setup();
    const at = { kind: 'Namespace', name: 'x' } as const;
    world.ok({ verb: 'create', kind: 'Namespace', body: object('v1', 'Namespace', {}) as ObjectInput });
    const deleted = world.ok({ verb: 'delete', ...at });
    const phase = (of: string) =>
      ({ ...at, verb: 'update', subresource: 'status', body: { ...deleted, status: { phase: of } } as ObjectInput }) as const;
    expect(world.refused(phase('Active')).message).toBe(
      'Namespace "x" is invalid: status.Phase: Invalid value: "Active": may only be \'Terminating\' if `deletionTimestamp` is not empty',
    );
    expect(world.ok(phase('Terminating'))).toMatchObject({ status: { phase: 'Terminating' } });
  });
});

describe('an APIService', () => {
  const block = (body: string, type = 'CERTIFICATE'): string => `-----BEGIN ${type}-----\n${body}\n-----END ${type}-----\n`;
  const apiService = (bundle: string): object =>
    object(
      'apiregistration.k8s.io/v1',
      'APIService',
      {
        spec: {
          group: 'g.io',
          version: 'v1',
          groupPriorityMinimum: 1,
          versionPriority: 1,
          service: { name: 's', namespace: 'n' },
          caBundle: base64OfText(bundle),
        },
      },
      { name: 'v1.g.io' },
    );
  const none = 'spec.caBundle: Invalid value: "<bytes>": must hold at least one certificate in PEM (-----BEGIN CERTIFICATE-----)';
  it.each<[string, string, readonly string[]]>([
    ['certificates', block('MIIB') + block('MIIC'), []],
    ['a certificate beside something else', block('AAAA', 'KEY') + block('MIIB'), []],
    ['something else', block('MIIB', 'KEY'), [none]],
    ['a certificate and a text', block('MIIB') + block('AAAA'), [none]],
    ['a text', 'x', [none]],
  ])('has a bundle of certificates: %s', (_, bundle, errors) =>
    expect(causesOf(apiService(bundle), setup('k8s.io', {}, { rules: 'specification' }))).toEqual(errors),
  );
});
