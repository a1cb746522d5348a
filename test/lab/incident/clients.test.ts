/** Objects that clients make in a log: their owners, what they select, what follows their deletion, and where steps stand in time. */
import { describe, expect, it } from 'vitest';
import { controller, create, incidentIn, owned, type Sent } from './log.ts';

const reference = (kind: unknown, name: unknown) => ({ apiVersion: 'v1', kind, name, uid: 'u' });
const config = (name: string, ...ownerReferences: readonly object[]): Sent =>
  create('configmaps', owned('ConfigMap', name), { body: { kind: 'ConfigMap', metadata: { name, ownerReferences } } });
const metadataOf = (...sent: readonly Sent[]) => {
  const last = incidentIn(sent).scenario.steps.at(-1);
  return last?.verb === 'create' || last?.verb === 'apply' ? last.objects[0]?.object.metadata : last;
};

describe('owners', () => {
  it('are kept where the run has them under the same name', () => {
    const drawn = create('configmaps', owned('ConfigMap', 'd-x', undefined, { generateName: 'd-' }), {
      body: { kind: 'ConfigMap', metadata: { generateName: 'd-' } },
    });
    const node = create('nodes', { kind: 'Node', metadata: { name: 'n' } }, { namespace: undefined });
    expect(
      metadataOf(
        config('a'),
        drawn,
        node,
        config(
          'b',
          reference('ConfigMap', 'a'),
          reference('ConfigMap', 'd-x'),
          reference('ConfigMap', 'gone'),
          reference('Node', 'n'),
          reference(1, 'a'),
          reference('ConfigMap', 2),
        ),
      ),
    ).toEqual({
      name: 'b',
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'a' },
        { apiVersion: 'v1', kind: 'Node', name: 'n' },
      ],
      namespace: 'default',
    });
    expect(metadataOf(config('a'), { ...config('b', reference('ConfigMap', 'a')), namespace: 'kube-system' })).toEqual({
      name: 'b',
      namespace: 'kube-system',
    });
  });
});

describe('requests', () => {
  it('select by labels with whole names', () => {
    const all = (selector: string): Sent => ({
      verb: 'deletecollection',
      of: 'pods',
      more: { requestURI: `/a?labelSelector=${encodeURIComponent(selector)}` },
    });
    const targets = (selector: string) => incidentIn([all(selector)]).scenario.steps.map((step) => ('target' in step ? step.target : step));
    expect([
      targets('app=web'),
      targets(' app == web , tier=a-b '),
      targets('app='),
      targets('app in (a)'),
      targets('!app'),
      targets('app=a=b'),
      targets('x app=web'),
    ]).toEqual([
      [{ kind: 'Pod', namespace: 'default', labels: { app: 'web' } }],
      [{ kind: 'Pod', namespace: 'default', labels: { app: 'web', tier: 'a-b' } }],
      [{ kind: 'Pod', namespace: 'default', labels: { app: '' } }],
      [],
      [],
      [],
      [],
    ]);
  });

  it('of several clients are in the order of their times, silences between them', () => {
    const node = (at: number, status: string, user: string): Sent => ({
      verb: 'patch',
      of: 'nodes/status',
      namespace: undefined,
      name: 'n',
      user,
      at,
      body: {},
      answer: { kind: 'Node', metadata: { name: 'n' }, status: { conditions: [{ type: 'Ready', status }] } },
    });
    const { scenario, clients } = incidentIn([
      { ...config('a'), user: 'zoe', at: 10 },
      node(100, 'Unknown', controller('node')),
      { ...config('b'), user: 'adam', at: 110 },
      node(120, 'True', 'system:node:n'),
    ]);
    expect([scenario.steps.map(({ verb, timing }) => [verb, timing.when === 'at' ? timing.atMs : undefined]), clients]).toEqual([
      [
        ['create', 10000],
        ['fault', 62500],
        ['create', 110000],
        ['fault', 120000],
      ],
      ['adam', 'zoe'],
    ]);
  });

  it('that were refused change nothing', () => {
    const steps = (...sent: readonly Sent[]) =>
      incidentIn(sent).scenario.steps.map((step) => [step.verb, 'code' in step ? step.code : undefined]);
    const remove: Sent = { verb: 'delete', of: 'configmaps', name: 'a', body: {} };
    expect(steps({ ...config('a'), code: 409, more: { responseStatus: { code: 409, reason: 'AlreadyExists' } } }, remove)).toEqual([
      ['create', 409],
    ]);
    expect(steps(config('a'), { ...remove, code: 404 }, { ...remove, at: 5 })).toEqual([
      ['create', 200],
      ['delete', 404],
      ['delete', 200],
    ]);
    expect(steps(config('a'), { ...remove, code: 299 }, { ...remove, at: 5 })).toEqual([
      ['create', 200],
      ['delete', 200],
    ]);
  });

  it('without a name in the path are about the object that was answered', () => {
    const body = { kind: 'ConfigMap', metadata: { name: 'a' } };
    expect(
      incidentIn([
        { verb: 'create', of: 'configmaps', code: 201, body, answer: owned('ConfigMap', 'a') },
        { verb: 'delete', of: 'configmaps', name: 'a', body: {} },
      ]).scenario.steps.map(({ verb }) => verb),
    ).toEqual(['create', 'delete']);
    expect(
      incidentIn([
        { verb: 'create', of: 'configmaps', code: 201, body: { kind: 'ConfigMap', metadata: {} }, answer: { kind: 'Status' } },
      ]).scenario.steps.map(({ verb }) => verb),
    ).toEqual(['create']);
  });

  it('of a whole status are not what was sent as the object', () => {
    const update = (of: string, body: object): Sent => ({ verb: 'update', of, name: 'a', body });
    const { scenario } = incidentIn([
      create('pods', owned('Pod', 'a')),
      update('pods/status', { status: { x: 1 } }),
      { verb: 'patch', of: 'pods', name: 'a', body: [] },
      update('pods', { metadata: { name: 'a', labels: { b: 'c' } } }),
      update('pods', { metadata: { name: 'a' } }),
    ]);
    expect(scenario.steps.slice(3).map((step) => (step.verb === 'patch' ? step.patch : step))).toEqual([
      { metadata: { labels: { b: 'c' } } },
      { metadata: { labels: null } },
    ]);
  });
});

describe('names that were drawn', () => {
  it('may have dots, and are of their namespace', () => {
    const job = create('jobs', owned('Job', 'a.b-x', undefined, { generateName: 'a.b-' }), {
      group: 'batch',
      body: { kind: 'Job', metadata: { generateName: 'a.b-' } },
    });
    const pod = create('pods', owned('Pod', 'a.b-x-y', ['Job', 'a.b-x']), { user: controller('job') });
    const steps = incidentIn([
      job,
      pod,
      { verb: 'delete', of: 'pods', name: 'a.b-x-y', body: {} },
      { verb: 'delete', of: 'jobs', group: 'batch', name: 'a.b-x', body: {} },
    ]).scenario.steps;
    expect(steps.slice(1).map((step) => ('target' in step ? step.target : step))).toEqual([
      {
        kind: 'Pod',
        namespace: 'default',
        cel: {
          cel: "has(self.metadata.ownerReferences) && self.metadata.ownerReferences.exists(o, o.kind == 'Job' && o.name.matches('^a[.]b-[a-z0-9]+$'))",
        },
        nth: 1,
      },
      {
        kind: 'Job',
        namespace: 'default',
        cel: { cel: "has(self.metadata.generateName) && self.metadata.generateName == 'a.b-'" },
        nth: 1,
      },
    ]);
  });

  it('count those that are there: of a deleted pod until it is gone', () => {
    const set = create('replicasets', owned('ReplicaSet', 'web'), { group: 'apps', at: 1 });
    const pod = (name: string, at: number) =>
      create('pods', owned('Pod', name, ['ReplicaSet', 'web']), { user: controller('replicaset'), at });
    const bound = (name: string, at: number): Sent => ({
      verb: 'create',
      of: 'pods/binding',
      name,
      at,
      user: 'system:kube-scheduler',
      body: { target: { name: 'n' } },
    });
    const patch = (name: string, at: number): Sent => ({ verb: 'patch', of: 'pods', name, at, body: {} });
    const { scenario } = incidentIn([
      set,
      pod('web-a', 2),
      pod('web-b', 3),
      bound('web-a', 4),
      bound('web-b', 5),
      patch('web-b', 6),
      { verb: 'delete', of: 'pods', name: 'web-a', body: {}, at: 10 },
      patch('web-b', 44),
      patch('web-b', 45),
      patch('web-b', 46),
    ]);
    expect(
      scenario.steps
        .filter(({ verb }) => verb === 'patch')
        .map((step) => ('target' in step ? (step.target as { nth?: number }).nth : step)),
    ).toEqual([2, 2, 1, 1]);
  });
});
