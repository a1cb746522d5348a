/** Defaults that depend on other members of the same object: they are read with it. */
import { expect, it } from 'vitest';
import { objectOf } from './cells.ts';

type Members = Readonly<Record<string, unknown>>;
/** The member of a spec that reading makes of what is given. */
const made = (kind: string, member: string, given: unknown): unknown =>
  (objectOf(kind, { spec: { [member]: given } })['spec'] as Members)[member];
const specOf = (kind: string, spec: object): Members => objectOf(kind, { spec })['spec'] as Members;

it.each<[spec: object, counts: object]>([
  [{}, { completions: 1, parallelism: 1 }],
  [{ completions: 3 }, { completions: 3, parallelism: 1 }],
  [{ completions: 0 }, { completions: 0, parallelism: 1 }],
  [{ parallelism: 2 }, { parallelism: 2 }],
  [{ parallelism: 0 }, { parallelism: 0 }],
  [
    { completions: 3, parallelism: 2 },
    { completions: 3, parallelism: 2 },
  ],
])('a Job of %j', (spec, counts) => {
  const { completions, parallelism } = specOf('Job', spec);
  expect({ ...(completions === undefined ? {} : { completions }), parallelism }).toEqual(counts);
});

it.each<[spec: object, ranges: readonly unknown[]]>([
  [{}, [undefined, undefined]],
  [{ podCIDR: '10.0.0.0/24' }, ['10.0.0.0/24', ['10.0.0.0/24']]],
  [{ podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, ['10.0.0.0/24', ['10.0.0.0/24', 'fd00::/64']]],
  [{ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, ['10.0.0.0/24', ['10.0.0.0/24', 'fd00::/64']]],
  [{ podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.0.0/24', 'fd00::/64'] }, ['10.0.1.0/24', ['10.0.1.0/24']]],
])('the ranges of a Node with %j', (spec, ranges) => {
  const { podCIDR, podCIDRs } = specOf('Node', spec);
  expect([podCIDR, podCIDRs]).toEqual(ranges);
});

const ROLLING = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } };
it.each<[given: object | undefined, strategy: object]>([
  [undefined, ROLLING],
  [{ type: '' }, ROLLING],
  [{ type: 'RollingUpdate' }, ROLLING],
  [
    { rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: '10%' } },
  ],
  [
    { type: 'RollingUpdate', rollingUpdate: { maxSurge: 2 } },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 2 } },
  ],
  [
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2 } },
    { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 2, maxSurge: 0 } },
  ],
  [{ type: 'OnDelete' }, { type: 'OnDelete' }],
  [
    { type: 'OnDelete', rollingUpdate: {} },
    { type: 'OnDelete', rollingUpdate: { maxUnavailable: 0, maxSurge: 0 } },
  ],
  [
    { type: 'X', rollingUpdate: { maxSurge: 1 } },
    { type: 'X', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
  ],
])('the strategy of a DaemonSet with %j', (given, strategy) => expect(made('DaemonSet', 'updateStrategy', given)).toEqual(strategy));

const pods = (value: number) => ({ type: 'Pods', value, periodSeconds: 15 });
const percent = { type: 'Percent', value: 100, periodSeconds: 15 };
const UP = { stabilizationWindowSeconds: 0, selectPolicy: 'Max', policies: [pods(4), percent] };
const DOWN = { selectPolicy: 'Max', policies: [percent] };
it.each<[given: object | undefined, behavior: object | undefined]>([
  [undefined, undefined],
  [{}, { scaleUp: UP, scaleDown: DOWN }],
  [
    { scaleUp: null, scaleDown: {} },
    { scaleUp: UP, scaleDown: DOWN },
  ],
  [
    { scaleUp: { stabilizationWindowSeconds: 9, selectPolicy: null } },
    { scaleUp: { ...UP, stabilizationWindowSeconds: 9 }, scaleDown: DOWN },
  ],
  [{ scaleDown: { selectPolicy: 'Disabled' } }, { scaleUp: UP, scaleDown: { ...DOWN, selectPolicy: 'Disabled' } }],
  [
    { scaleUp: { policies: [pods(1)] }, scaleDown: { policies: null } },
    { scaleUp: { ...UP, policies: [pods(1)] }, scaleDown: DOWN },
  ],
])('the behavior of an autoscaler with %j', (given, behavior) =>
  expect(made('HorizontalPodAutoscaler', 'behavior', given)).toEqual(behavior),
);

it.each<[given: object, names: object]>([
  [
    { kind: 'Widget', plural: 'widgets' },
    { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
  ],
  [
    { kind: 'Widget', singular: '', listKind: '' },
    { singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
  ],
  [
    { kind: 'Widget', singular: 's', listKind: 'L' },
    { singular: 's', kind: 'Widget', listKind: 'L' },
  ],
  [{ kind: '', plural: 'widgets' }, { plural: 'widgets' }],
  [{ plural: 'widgets' }, { plural: 'widgets' }],
])('the names of a definition with %j', (given, names) => expect(made('CustomResourceDefinition', 'names', given)).toEqual(names));
