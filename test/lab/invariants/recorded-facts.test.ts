/** What happens to objects, in words without what is drawn. */
import { describe, expect, it } from 'vitest';
import { createSubjects, factsOf, identityIn, LEFT_OUT, newFacts } from '../../../src/lab/invariants/index.ts';

const owner = (kind: string, name: string): object => ({
  ownerReferences: [
    { kind: 'Node', name: 'n' },
    { kind, name, controller: true },
  ],
});

describe('the identity of an object', () => {
  it('is its name, the prefix of it, its controller and the hash of its template', () => {
    const labels = { 'pod-template-hash': 'abc', app: 'web' };
    const names = { namespace: 'default', name: 'web-abc-xyz', generateName: 'web-abc-' };
    expect(identityIn({ metadata: { ...names, labels, ...owner('ReplicaSet', 'web-abc') } })).toEqual({
      namespace: 'default',
      name: 'web-abc-xyz',
      prefix: 'web-abc-',
      owner: { kind: 'ReplicaSet', name: 'web-abc' },
      hash: 'abc',
    });
  });

  it.each<readonly [string, unknown]>([
    ['has nothing', undefined],
    ['has metadata of another type', 'metadata'],
    ['has empty texts', { namespace: '', name: '', generateName: '', labels: { 'pod-template-hash': '' } }],
    ['has members of other types', { namespace: 1, name: {}, generateName: [], labels: 'x', ownerReferences: 'x' }],
    [
      'has only owners that do not control it',
      {
        ownerReferences: [
          { kind: 'Job', name: 'pi' },
          { kind: 'Job', name: 'e', controller: 'true' },
        ],
      },
    ],
    ['has a controller without a name', { ownerReferences: [{ kind: 'Job', controller: true }] }],
    ['has a controller without a kind', { ownerReferences: [{ name: 'pi', controller: true }] }],
  ])('is empty where a log %s', (_what, metadata) => {
    expect(identityIn({ metadata })).toEqual({
      namespace: undefined,
      name: undefined,
      prefix: undefined,
      owner: undefined,
      hash: undefined,
    });
  });
});

describe('the name of a subject', () => {
  /** Remembers each object, and returns what the last of them is called. */
  function called(...objects: readonly (readonly [kind: string, metadata: object])[]): string | undefined {
    const subjects = createSubjects();
    return objects.reduce<string | undefined>((_, [kind, metadata]) => {
      const identity = identityIn({ metadata });
      subjects.remember(kind, identity);
      return subjects.of(kind, identity);
    }, undefined);
  }
  const inDefault = (name: string, more: object = {}): object => ({ namespace: 'default', name, ...more });
  const ofSet = inDefault('web-5d-x1', { ...owner('ReplicaSet', 'web-5d'), labels: { 'pod-template-hash': '5d' } });
  const drawn: readonly [string, object] = ['CronJob', inDefault('cron-abcde', { generateName: 'cron-' })];
  const job: readonly [string, object] = ['Job', inDefault('cron-abcde-27', owner('CronJob', 'cron-abcde'))];

  it.each<readonly [string, string | undefined, readonly (readonly [string, object])[]]>([
    ['its kind and name without a namespace', 'Node node-1', [['Node', { name: 'node-1' }]]],
    ['its kind, namespace and name', 'Job default/pi', [['Job', inDefault('pi')]]],
    ['its prefix, where the name was drawn', 'Job default/backup-*', [['Job', inDefault('backup-x7', { generateName: 'backup-' })]]],
    ['its prefix, where the log has no name yet', 'Job default/backup-*', [['Job', { namespace: 'default', generateName: 'backup-' }]]],
    ['nothing without any name', undefined, [['Job', { namespace: 'default' }]]],
    ['that of its owner', 'Pod of Job default/pi', [['Pod', inDefault('pi-x', owner('Job', 'pi'))]]],
    ['that of its owner without a namespace', 'Lease of Node n-1', [['Lease', { name: 'n-1', ...owner('Node', 'n-1') }]]],
    ['that of its owner without the hash', 'Pod of ReplicaSet default/web-*', [['Pod', ofSet]]],
    [
      'that of its owner, where the hash is another',
      'Pod of ReplicaSet default/web-5d',
      [['Pod', { ...ofSet, labels: { 'pod-template-hash': 'd' } }]],
    ],
    [
      'that of its owner, where the owner has the hash elsewhere',
      'Pod of ReplicaSet default/5d-web',
      [['Pod', { ...ofSet, ...owner('ReplicaSet', '5d-web') }]],
    ],
    ['the prefix of its owner', 'Pod of CronJob default/cron-*', [drawn, ['Pod', inDefault('p', owner('CronJob', 'cron-abcde'))]]],
    [
      'the prefix of an owner of its owner, and what that added',
      'Pod of Job default/cron-*-27',
      [drawn, job, ['Pod', inDefault('p', owner('Job', 'cron-abcde-27'))]],
    ],
    [
      'the whole name of an owner that is in another namespace',
      'Pod of CronJob other/cron-abcde',
      [drawn, ['Pod', { namespace: 'other', name: 'p', ...owner('CronJob', 'cron-abcde') }]],
    ],
    [
      'the whole name of an owner of another kind',
      'Pod of Job default/cron-abcde',
      [drawn, ['Pod', inDefault('p', owner('Job', 'cron-abcde'))]],
    ],
    [
      'the whole name of an owner whose name does not begin with that of its own owner',
      'Pod of Job default/else-27',
      [drawn, ['Job', inDefault('else-27', owner('CronJob', 'cron-abcde'))], ['Pod', inDefault('p', owner('Job', 'else-27'))]],
    ],
    [
      'the whole name of an owner whose owner has no drawn name',
      'Pod of Job default/pi-27',
      [
        ['CronJob', inDefault('pi')],
        ['Job', inDefault('pi-27', owner('CronJob', 'pi'))],
        ['Pod', inDefault('p', owner('Job', 'pi-27'))],
      ],
    ],
  ])('is %s', (_what, name, objects) => {
    expect(called(...objects)).toBe(name);
  });

  it('does not change with an object that has no name', () => {
    const subjects = createSubjects();
    subjects.remember('Job', identityIn({ metadata: { namespace: 'default', generateName: 'undefined' } }));
    const pod = identityIn({ metadata: inDefault('p', owner('Job', 'undefined')) });
    expect(subjects.of('Pod', pod)).toBe('Pod of Job default/undefined');
  });
});

describe('the facts of an object', () => {
  const conditions = [
    ...['Ready', 'PodScheduled', 'Complete', 'Failed', 'Suspended', 'Available', 'ReplicaFailure'].map((type) => ({
      type,
      status: 'True',
    })),
    ...['MemoryPressure', 'DiskPressure', 'PIDPressure', 'Progressing', 'Initialized'].map((type) => ({ type, status: 'False' })),
    { type: 'Ready', status: true },
    { status: 'True' },
    'Ready',
  ];
  const object = { spec: { nodeName: 'node-1', replicas: 3 }, status: { phase: 'Bound', conditions } };

  it.each<readonly [string, readonly string[]]>([
    ['Pod', ['bound to node-1', 'phase Bound', 'replicas 3', 'Ready True', 'PodScheduled True']],
    ['PersistentVolumeClaim', ['phase Bound', 'replicas 3']],
    ['PersistentVolume', ['phase Bound', 'replicas 3']],
    ['Job', ['replicas 3', 'Complete True', 'Failed True', 'Suspended True']],
    ['Deployment', ['replicas 3', 'Available True', 'ReplicaFailure True']],
    ['ReplicaSet', ['replicas 3', 'ReplicaFailure True']],
    ['Node', ['replicas 3', 'Ready True', 'MemoryPressure False', 'DiskPressure False', 'PIDPressure False']],
    ['constructor', ['replicas 3']],
  ])('of kind %s are the node, the phase, the replicas and the conditions that count for it', (kind, facts) => {
    expect([...factsOf(kind, object)].map((fact) => fact.join(' '))).toEqual(facts);
  });

  it.each<readonly [string, object, readonly (readonly [string, string])[]]>([
    ['nothing of an empty one', {}, []],
    ['nothing of members of other types', { metadata: 1, spec: 'x', status: [] }, []],
    ['nothing of values of other types', { spec: { nodeName: 1, replicas: '3' }, status: { phase: {}, conditions: 'True' } }, []],
    ['nothing of empty texts', { spec: { nodeName: '' }, status: { phase: '' } }, []],
    ['its deletion', { metadata: { deletionTimestamp: '2024-03-01T00:00:00Z' } }, [['deleted', '']]],
    ['zero replicas', { spec: { replicas: 0 } }, [['replicas', '0']]],
    ['no replicas where a controller sets them', { metadata: owner('Deployment', 'web'), spec: { replicas: 3 } }, []],
  ])('have %s', (_what, part, facts) => {
    expect([...factsOf('Pod', part)]).toEqual(facts);
  });
});

describe('what is new of an object', () => {
  type Words = Readonly<Record<string, string>> | undefined;
  const facts = (words: Words) => (words === undefined ? undefined : new Map(Object.entries(words)));

  it.each<readonly [string, string, Words, Readonly<Record<string, string>>, readonly string[]]>([
    ['that it was created', 'Pod', undefined, {}, ['created']],
    ['nothing of the creation of a node', 'Node', undefined, { Ready: 'True' }, ['Ready True']],
    ['nothing of the creation of a node in storage', 'CSINode', undefined, {}, []],
    ['nothing where all is as before', 'Pod', { phase: 'Running', Ready: 'True' }, { phase: 'Running', Ready: 'True' }, []],
    [
      'the facts that changed',
      'Pod',
      { phase: 'Pending', Ready: 'False' },
      { phase: 'Running', Ready: 'True' },
      ['phase Running', 'Ready True'],
    ],
    ['the node', 'Pod', {}, { 'bound to': 'node-1' }, ['bound to node-1']],
    ['the deletion, without a value', 'Job', {}, { deleted: '' }, ['deleted']],
    ['nothing of the first phase', 'Pod', undefined, { phase: 'Pending' }, ['created']],
    ['nothing of a return to the first phase', 'PersistentVolumeClaim', { phase: 'Lost' }, { phase: 'Pending' }, []],
    ['nothing of a condition that begins false', 'Pod', {}, { Ready: 'False' }, []],
    ['a condition that begins unknown', 'Node', {}, { Ready: 'Unknown' }, ['Ready Unknown']],
    ['a condition that becomes false', 'Pod', { Ready: 'True' }, { Ready: 'False' }, ['Ready False']],
    ['that a pod cannot be scheduled', 'Pod', {}, { PodScheduled: 'False' }, ['PodScheduled False']],
    ['nothing of a pod that can be scheduled, which is bound', 'Pod', { PodScheduled: 'False' }, { PodScheduled: 'True' }, []],
    ['nothing of the replicas that it begins with', 'Deployment', undefined, { replicas: '3' }, ['created']],
    ['the replicas that it is scaled to', 'Deployment', { replicas: '3' }, { replicas: '0' }, ['replicas 0']],
  ])('is %s', (_what, kind, before, now, news) => {
    expect(newFacts(kind, facts(before), new Map(Object.entries(now)))).toEqual(news);
  });
});

it('leaves out the kinds that only repeat what others say', () => {
  expect([...LEFT_OUT].toSorted()).toEqual(['APIService', 'ControllerRevision', 'EndpointSlice', 'Endpoints', 'Event', 'Lease']);
});
