/** What is valid of workloads: selectors and templates, counts of a status, shares of pods. */
import { describe, expect, it } from 'vitest';
import {
  collisionErrors,
  emptySelectorErrors,
  endlessErrors,
  immutableSelector,
  mismatchErrors,
  numberIn,
  partErrors,
  type PodTemplateSpec,
  selectorErrors,
  sharedDiskErrors,
} from '../../../../src/apiserver/machinery/index.ts';
import { check, lines } from './causes.ts';

const CONTAINERS = [{ name: 'c', image: 'i' }];
const LABELS = { a: 'b' };
const workload = (kind: string, spec: object = {}, template: object = {}, metadata: object = { labels: LABELS }): object => ({
  apiVersion: 'apps/v1',
  kind,
  metadata: { name: 'w' },
  spec: { selector: { matchLabels: LABELS }, ...spec, template: { metadata, spec: { containers: CONTAINERS, ...template } } },
});

describe('selectors and templates', () => {
  const DISK = [
    { name: 'v', gcePersistentDisk: { pdName: 'd' } },
    { name: 'w', emptyDir: {} },
    { name: 'x', gcePersistentDisk: { pdName: 'd', readOnly: true } },
  ];
  check([
    ['may agree', workload('ReplicaSet', { selector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }), []],
    [
      'need a selector',
      workload('ReplicaSet', { selector: undefined }),
      [
        'spec.selector: Required value',
        'spec.template.metadata.labels: Invalid value: map[string]string{"a":"b"}: `selector` does not match template `labels`',
      ],
    ],
    [
      'need one that selects',
      workload('ReplicaSet', { selector: {} }),
      [
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}: empty selector is invalid for deployment',
      ],
    ],
    [
      'need a valid one',
      workload('Deployment', { selector: { matchExpressions: [{ key: 'a', operator: 'Like' }] } }),
      [
        'spec.selector.matchExpressions[0].operator: Invalid value: "Like": not a valid selector operator',
        'spec.selector: Invalid value: v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement{v1.LabelSelectorRequirement{Key:"a", Operator:"Like", Values:[]string(nil)}}}: invalid label selector',
      ],
    ],
    [
      'agree',
      workload('ReplicaSet', {}, {}, { labels: { a: 'c' } }),
      ['spec.template.metadata.labels: Invalid value: map[string]string{"a":"c"}: `selector` does not match template `labels`'],
    ],
    [
      'are of pods that do not end',
      workload('Deployment', {}, { restartPolicy: 'Never', activeDeadlineSeconds: 5 }),
      [
        'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
      ],
    ],
    [
      'share disks for reading only',
      workload('ReplicaSet', { replicas: 2 }, { volumes: DISK }),
      [
        'spec.template.spec.volumes[0].gcePersistentDisk.readOnly: Invalid value: false: must be true for replicated pods > 1; GCE PD can only be mounted on multiple machines if it is read-only',
      ],
    ],
    ['may have a disk for one pod', workload('ReplicaSet', { replicas: 1 }, { volumes: DISK }), []],
  ]);

  it('have errors of their own', () => {
    const template = {
      metadata: { labels: LABELS },
      spec: { restartPolicy: 'OnFailure', activeDeadlineSeconds: 0 },
    } as unknown as PodTemplateSpec;
    expect([
      lines(endlessErrors(template, 'K')),
      lines(endlessErrors({ ...template, spec: { restartPolicy: 'Always' } } as never, 'K')),
    ]).toEqual([
      [
        'spec.template.spec.restartPolicy NotSupported "OnFailure" supported values: "Always"',
        'spec.template.spec.activeDeadlineSeconds Forbidden - activeDeadlineSeconds in K is not Supported',
      ],
      [],
    ]);
    expect([
      lines(selectorErrors(undefined, 'k')),
      lines(selectorErrors({}, 'k')),
      lines(emptySelectorErrors(undefined, 'k')),
      lines(emptySelectorErrors({ matchLabels: {}, matchExpressions: [] }, 'k')),
      lines(emptySelectorErrors({ matchLabels: LABELS }, 'k')),
    ]).toEqual([
      ['spec.selector Required - '],
      [
        'spec.selector Invalid {"text":"v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}"} empty selector is invalid for k',
      ],
      [],
      [
        'spec.selector Invalid {"text":"v1.LabelSelector{MatchLabels:map[string]string{}, MatchExpressions:[]v1.LabelSelectorRequirement{}}"} empty selector is invalid for k',
      ],
      [],
    ]);
    expect([
      lines(mismatchErrors({ matchLabels: LABELS }, template)),
      lines(mismatchErrors({ matchLabels: { a: 'c' } }, template)),
      lines(mismatchErrors({ matchExpressions: [{ key: 'a', operator: 'Like' as 'In' }] }, template)),
      sharedDiskErrors(template),
    ]).toEqual([
      [],
      ['spec.template.metadata.labels Invalid {"text":"map[string]string{\\"a\\":\\"b\\"}"} `selector` does not match template `labels`'],
      [],
      [],
    ]);
    const of = (selector: object | undefined) => ({ spec: { selector } }) as never;
    expect([
      lines(immutableSelector(of({ matchLabels: LABELS }), {} as never, of({ matchLabels: { ...LABELS } }))),
      lines(immutableSelector(of({}), {} as never, of({ matchLabels: LABELS }))),
      lines(immutableSelector(of(undefined), {} as never, of({}))),
    ]).toEqual([
      [],
      [
        'spec.selector Invalid {"text":"v1.LabelSelector{MatchLabels:map[string]string(nil), MatchExpressions:[]v1.LabelSelectorRequirement(nil)}"} field is immutable',
      ],
      ['spec.selector Invalid - field is immutable'],
    ]);
  });
});

describe('numbers', () => {
  it('of a share are those of its text', () => {
    expect([5, '30%', '7', '-7', '+7', 'x', '7x', ''].map(numberIn)).toEqual([5, 30, 7, -7, 7, 0, 0, 0]);
  });

  it('of a status do not exceed its replicas', () => {
    const of = (status: object) => lines(partErrors<'updatedReplicas' | 'readyReplicas'>('updatedReplicas', 'readyReplicas')({ status }));
    expect([
      of({}),
      of({ replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 }),
      of({ replicas: 1, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 3 }),
      of({ updatedReplicas: 1 }),
      of({ availableReplicas: 1 }),
    ]).toEqual([
      [],
      [],
      [
        'status.updatedReplicas Invalid 2 cannot be greater than status.replicas',
        'status.readyReplicas Invalid 2 cannot be greater than status.replicas',
        'status.availableReplicas Invalid 3 cannot be greater than readyReplicas',
      ],
      ['status.updatedReplicas Invalid 1 cannot be greater than status.replicas'],
      ['status.availableReplicas Invalid 1 cannot be greater than readyReplicas'],
    ]);
  });

  it('of collisions do not fall', () => {
    const of = (now: number | undefined, before: number | undefined) =>
      lines(collisionErrors({ status: { collisionCount: now } } as never, {} as never, { status: { collisionCount: before } } as never));
    expect([of(1, 1), of(2, 1), of(0, 1), of(undefined, 0), of(undefined, undefined), of(0, undefined)]).toEqual([
      [],
      [],
      ['status.collisionCount Invalid 0 cannot be decremented'],
      ['status.collisionCount Invalid 0 cannot be decremented'],
      [],
      [],
    ]);
  });
});
