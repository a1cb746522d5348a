/** What manifests say of availability, as invariants, and in sentences where it does not hold. */
import { describe, expect, it } from 'vitest';
import { brokenText } from '../../../src/lab/rehearsal/said.ts';
import { deployment, type Members, planOf } from './charts.ts';

const invariants = (old: readonly Members[], next = old, drain: 'all' | readonly string[] = ['node-0']) =>
  planOf(old, next, { drain }).scenario.expressed ?? [];
/** What must be available of a workload. */
const least = (kind: string, spec: Members, to: Members = spec, drain: readonly string[] = ['node-0']): readonly string[] => {
  const of = (each: Members) => ({ ...deployment('web', each), kind });
  return invariants([of(spec)], [of(to)], drain)
    .filter(({ name }) => name.startsWith('available'))
    .map(({ condition }) =>
      ('cel' in condition ? condition.cel : '').replace(/^elapsed < duration\('15m'\) \|\| self.status.availableReplicas >= /, ''),
    );
};

describe('invariants', () => {
  it('are whole', () => {
    const claims = { volumeClaimTemplates: [{ metadata: { name: 'data' } }, { metadata: { name: 'logs' } }] };
    expect(
      invariants([
        deployment('web', { replicas: 4 }),
        { ...deployment('db', { replicas: 2, ...claims }), kind: 'StatefulSet' },
        { kind: 'PersistentVolumeClaim', metadata: { name: 'x', namespace: 'shop' } },
      ]),
    ).toEqual([
      {
        name: 'budgets-kept',
        description: 'No change takes what is healthy below what a PodDisruptionBudget asks for.',
        temporal: 'always',
        foreach: ['PodDisruptionBudget'],
        condition: {
          cel: "elapsed < duration('15m') || old == null || self.status.currentHealthy >= self.status.desiredHealthy || self.status.currentHealthy >= old.status.currentHealthy",
        },
      },
      {
        name: 'available/Deployment/default/web',
        description: 'At least 3 of Deployment default/web are available in rolls, as its strategy says, and 1 while a node is drained.',
        temporal: 'always',
        foreach: ['Deployment'],
        where: { cel: "self.metadata.name == 'web' && self.metadata.namespace == 'default'" },
        condition: {
          cel: "elapsed < duration('15m') || self.status.availableReplicas >= (elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 3)",
        },
      },
      {
        name: 'available/StatefulSet/default/db',
        description: 'At least 1 of StatefulSet default/db are available in rolls, as its strategy says, and 1 while a node is drained.',
        temporal: 'always',
        foreach: ['StatefulSet'],
        where: { cel: "self.metadata.name == 'db' && self.metadata.namespace == 'default'" },
        condition: { cel: "elapsed < duration('15m') || self.status.availableReplicas >= 1" },
      },
      {
        name: 'claims-kept',
        description: 'No claim of the old manifests is deleted or lost.',
        temporal: 'always',
        condition: {
          cel: "elapsed < duration('15m') || objects('PersistentVolumeClaim').filter(c, (c.metadata.namespace + '/' + c.metadata.name) in ['default/data-db-0', 'default/data-db-1', 'default/logs-db-0', 'default/logs-db-1', 'shop/x'] && !has(c.metadata.deletionTimestamp) && c.status.phase != 'Lost').size() == 5",
        },
      },
    ]);
  });

  it('leave of a Deployment what its strategy says', () => {
    const roll = (maxUnavailable: unknown, maxSurge: unknown, replicas = 10) =>
      least('Deployment', { replicas, strategy: { rollingUpdate: { maxUnavailable, maxSurge } } });
    expect(
      [
        roll('25%', '25%'),
        roll(3, 1),
        roll(0, 0),
        roll('0%', 1),
        roll('0%', '1%'),
        roll('0%', '0%'),
        roll('9%', 0),
        roll('100%', 0),
        roll('x', 0),
        roll(20, 0),
      ].flat(),
    ).toEqual([
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 8)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 7)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 9)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 10)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 10)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 9)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 9)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 0)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 9)",
      "(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 0)",
    ]);
    expect([
      least('Deployment', { replicas: 4 }),
      least('Deployment', { replicas: 4, strategy: { type: 'Recreate' } }),
      least('Deployment', { replicas: 1 }),
      least('Deployment', { replicas: 1, strategy: { type: 'Recreate' } }),
    ]).toEqual([
      ["(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 3)"],
      ["(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 0)"],
      ["(elapsed >= duration('30m') && elapsed < duration('45m') ? 0 : 1)"],
      [],
    ]);
  });

  it('leave of a StatefulSet all but one', () => {
    expect([
      least('StatefulSet', { replicas: 3 }),
      least('StatefulSet', { replicas: 1 }),
      least('StatefulSet', { replicas: 0 }),
      least('StatefulSet', { replicas: 3, updateStrategy: { type: 'OnDelete' } }),
    ]).toEqual([
      ["(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 2)"],
      [],
      [],
      ["(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 0)"],
    ]);
  });

  it('are of the smaller of both releases, and in drains of one pod', () => {
    expect([
      least('Deployment', { replicas: 10 }, { replicas: 2 }),
      least('Deployment', { replicas: 2 }, { replicas: 1 }),
      least('Deployment', { replicas: 10 }, { replicas: 10 }, []),
      least('DaemonSet', { replicas: 4 }),
    ]).toEqual([
      ["(elapsed >= duration('30m') && elapsed < duration('45m') ? 1 : 2)"],
      ["(elapsed >= duration('30m') && elapsed < duration('45m') ? 0 : 1)"],
      ['8'],
      [],
    ]);
  });

  it('are not of what an autoscaler scales, or what one release has alone', () => {
    const scaler = (kind: string) => ({
      kind: 'HorizontalPodAutoscaler',
      metadata: { name: 'h' },
      spec: { scaleTargetRef: { kind, name: 'web' } },
    });
    const web = deployment('web', { replicas: 4 });
    const names = (...all: Parameters<typeof invariants>) => invariants(...all).map(({ name }) => name);
    expect([
      names([web, scaler('Deployment')]),
      names([web, scaler('StatefulSet')]),
      names([web], []),
      names([], [web]),
      names([{ ...web, metadata: { name: 'web', namespace: 'shop' } }]),
    ]).toEqual([
      ['budgets-kept'],
      ['budgets-kept', 'available/Deployment/default/web'],
      ['budgets-kept'],
      ['budgets-kept'],
      ['budgets-kept', 'available/Deployment/shop/web'],
    ]);
  });
});

describe('a sentence', () => {
  const object = (kind: string, status: object) => ({ kind, metadata: { name: 'web', namespace: 'shop' }, status }) as never;

  it('says what is there', () => {
    const said = [
      brokenText('budgets-kept', object('PodDisruptionBudget', { currentHealthy: 1, desiredHealthy: 2 })),
      brokenText('available/Deployment/shop/web', object('Deployment', { availableReplicas: 2 })),
      brokenText('available/Deployment/shop/web', object('Deployment', { availableReplicas: 1 })),
      brokenText('available/StatefulSet/shop/web', object('StatefulSet', {})),
    ];
    expect(said).toEqual([
      'PodDisruptionBudget shop/web: 1 pod is healthy, and it asks for 2',
      'Deployment shop/web: 2 pods are available',
      'Deployment shop/web: 1 pod is available',
      'StatefulSet shop/web: 0 pods are available',
    ]);
  });

  it('is of the object of the invariant alone', () => {
    const none = [
      brokenText('budgets-kept', object('Deployment', {})),
      brokenText('available/Deployment/shop/api', object('Deployment', {})),
      brokenText('other', object('PodDisruptionBudget', {})),
      brokenText('budgets-kept', undefined),
    ];
    expect(none).toEqual([undefined, undefined, undefined, undefined]);
  });
});
