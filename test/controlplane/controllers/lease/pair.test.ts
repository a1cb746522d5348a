/** The steps of an elector with a lease beside an older object. */
import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../../../../src/apiserver/machinery/index.ts';
import { spec, lease, older, record, known, type Options, answered, read, wrote, endpoints } from './whole.ts';

describe('with a lease beside an older object, an elector', () => {
  const both = (text: string | undefined, second: ApiObject | undefined, more: object = {}, options: Options = endpoints) =>
    answered(read(), second, known({ older: older('Endpoints', text), ...more }), options);
  it.each<[string, () => readonly string[], readonly string[]]>([
    [
      'creates the older object first',
      () => answered(read('Endpoints'), undefined, known(), endpoints),
      [
        'there is no lease yet',
        'create Endpoints scheduler {metadata:{annotations:{control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"me_1\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:58\\",\\"renewTime\\":\\"00:00:58\\",\\"leaderTransitions\\":0}"}}} {resume:true}',
        'memory: {leading:false,began:{now:@58,elapsed:@58},putting:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:58.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:0}}',
      ],
    ],
    [
      'creates the ConfigMap first',
      () => answered(read('ConfigMap'), undefined, known(), { lock: 'configmapsleases' }),
      [
        'there is no lease yet',
        'create ConfigMap scheduler {metadata:{annotations:{control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"me_1\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:58\\",\\"renewTime\\":\\"00:00:58\\",\\"leaderTransitions\\":0}"}}} {resume:true}',
        'memory: {leading:false,began:{now:@58,elapsed:@58},putting:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:58.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:0}}',
      ],
    ],
    [
      'reads the lease after the older object',
      () => answered(read('Endpoints'), older('Endpoints', record('other_2', 50)), known(), endpoints),
      [
        'read the Lease of the pair',
        'get Lease scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:false,began:{now:@58,elapsed:@58},older:{apiVersion:v1,kind:Endpoints,metadata:{namespace:kube-system,name:scheduler,uid:o,resourceVersion:8,creationTimestamp:00:00:00,annotations:{note:x,control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"other_2\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:00\\",\\"renewTime\\":\\"00:00:50\\",\\"leaderTransitions\\":2}"}}}}',
      ],
    ],
    [
      'reads the lease after nothing when it stops',
      () => answered(read('Endpoints'), undefined, known(), { ...endpoints, stopping: true }),
      [
        'read the Lease of the pair',
        'get Lease scheduler {resume:true,tolerate:[NotFound]}',
        'memory: {leading:false,began:{now:@58,elapsed:@58}}',
      ],
    ],
    [
      'waits for the holder of both',
      () => both(record('other_2', 50), lease(spec('other_2', 50))),
      [
        'other holds the lease',
        'memory: {leading:false,seen:{record:"other_2 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2 other_2 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:other_2,since:@60},began:{now:@58,elapsed:@58},older:{apiVersion:v1,kind:Endpoints,metadata:{namespace:kube-system,name:scheduler,uid:o,resourceVersion:8,creationTimestamp:00:00:00,annotations:{note:x,control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"other_2\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:00\\",\\"renewTime\\":\\"00:00:50\\",\\"leaderTransitions\\":2}"}}}}',
        'wakeAt: @62.941',
        'background: false',
      ],
    ],
    [
      'waits where the two have different holders',
      () => both(record('other_2', 50), lease(spec('third_3', 50))),
      [
        'leaderelection.k8s.io/unknown holds the lease',
        'memory: {leading:false,seen:{record:"other_2 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2 third_3 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:leaderelection.k8s.io/unknown,since:@60},began:{now:@58,elapsed:@58},older:{apiVersion:v1,kind:Endpoints,metadata:{namespace:kube-system,name:scheduler,uid:o,resourceVersion:8,creationTimestamp:00:00:00,annotations:{note:x,control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"other_2\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:00\\",\\"renewTime\\":\\"00:00:50\\",\\"leaderTransitions\\":2}"}}}}',
        'wakeAt: @62.941',
        'background: false',
      ],
    ],
    [
      'acquires what has no record',
      () => both(undefined, undefined),
      [
        'the last holder released the lease',
        'update Endpoints scheduler {metadata:{annotations:{note:x,control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"me_1\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:58\\",\\"renewTime\\":\\"00:00:58\\",\\"leaderTransitions\\":1}"}}} {resume:true}',
        'memory: {leading:false,seen:{record:" 0   0",holder:"",since:@60},began:{now:@58,elapsed:@58},putting:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:58.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:1}}',
      ],
    ],
    [
      'acquires what has an invalid record',
      () => both('{', undefined),
      [
        'the last holder released the lease',
        'update Endpoints scheduler {metadata:{annotations:{note:x,control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"me_1\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:58\\",\\"renewTime\\":\\"00:00:58\\",\\"leaderTransitions\\":1}"}}} {resume:true}',
        'memory: {leading:false,seen:{record:" 0   0",holder:"",since:@60},began:{now:@58,elapsed:@58},putting:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:58.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:1}}',
      ],
    ],
    [
      'renews its own in the older object first',
      () => both(record('me_1', 50), lease(spec('me_1', 50)), { leading: true }),
      [
        'renew its lease',
        'update Endpoints scheduler {metadata:{annotations:{note:x,control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"me_1\\",\\"leaseDurationSeconds\\":15,\\"acquireTime\\":\\"00:00:00\\",\\"renewTime\\":\\"00:00:58\\",\\"leaderTransitions\\":2}"}}} {resume:true}',
        'memory: {leading:true,seen:{record:"me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2 me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:me_1,since:@60},began:{now:@58,elapsed:@58},putting:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:00.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:2}}',
      ],
    ],
    [
      'reads the lease after the older object is written',
      () => answered(wrote, older('Endpoints'), known({ putting: spec('me_1', 58) }), endpoints),
      ['write the same record to the Lease', 'get Lease scheduler {resume:true,tolerate:[NotFound]}'],
    ],
    [
      'writes the same record to the lease',
      () => answered(read(), lease(spec('other_2', 50)), known({ putting: spec('me_1', 58) }), endpoints),
      [
        'write the Lease of the pair',
        'update Lease scheduler {spec:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:00.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:2}} {resume:true}',
      ],
    ],
    [
      'creates the lease with the same record',
      () => answered(read(), undefined, known({ putting: spec('me_1', 58) }), endpoints),
      [
        'write the Lease of the pair',
        'create Lease scheduler {spec:{holderIdentity:me_1,leaseDurationSeconds:15,acquireTime:2024-01-01T00:00:00.000000Z,renewTime:2024-01-01T00:00:58.000000Z,leaseTransitions:2}} {resume:true}',
      ],
    ],
    [
      'leads once both are written',
      () => answered(wrote, lease(spec('me_1', 58)), known({ putting: spec('me_1', 58), older: 'x' }), endpoints),
      [
        'it is the leader now',
        'event Normal LeaderElection of Lease scheduler: me_1 became leader',
        'memory: {leading:true,seen:{record:"me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:58.000000Z 2 me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:58.000000Z 2",holder:me_1,since:@60},began:{now:@58,elapsed:@58}}',
        'enqueue: [kube-system/scheduler]',
        'process: lead',
      ],
    ],
    [
      'leads on, and renews each time for real',
      () => answered(wrote, lease(spec('me_1', 58)), known({ leading: true, putting: spec('me_1', 58) }), endpoints),
      [
        'the lease was renewed: it stays the leader',
        'memory: {leading:true,seen:{record:"me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:58.000000Z 2 me_1 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:58.000000Z 2",holder:me_1,since:@60},began:{now:@58,elapsed:@58}}',
        'wakeAt: @62',
        'background: true',
      ],
    ],
    [
      'releases both when it stops',
      () => both(record('me_1', 50), lease(spec('me_1', 50)), { leading: true }, { ...endpoints, stopping: true }),
      [
        'release the lease',
        'update Endpoints scheduler {metadata:{annotations:{note:x,control-plane.alpha.kubernetes.io/leader:"{\\"holderIdentity\\":\\"\\",\\"leaseDurationSeconds\\":1,\\"acquireTime\\":\\"00:01:00\\",\\"renewTime\\":\\"00:01:00\\",\\"leaderTransitions\\":2}"}}} {resume:true}',
        'memory: {leading:true,began:{now:@58,elapsed:@58},putting:{holderIdentity:"",leaseDurationSeconds:1,acquireTime:2024-01-01T00:01:00.000000Z,renewTime:2024-01-01T00:01:00.000000Z,leaseTransitions:2}}',
      ],
    ],
    [
      'reads the lease alone without an older object',
      () => answered(read(), lease(spec('other_2', 50)), known(), endpoints),
      [
        'other holds the lease',
        'memory: {leading:false,seen:{record:"other_2 15 2024-01-01T00:00:00.000000Z 2024-01-01T00:00:50.000000Z 2",holder:other_2,since:@60},began:{now:@58,elapsed:@58}}',
        'wakeAt: @62.941',
        'background: false',
      ],
    ],
  ])('%s', (_, lines, expected) => {
    expect(lines()).toEqual(expected);
  });
});
