/** Metrics other than usage: of pods, of objects, and external ones. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { createMetered, type Question, type SeriesSpec } from '../../../src/controlplane/usage/index.ts';
import { formatTime } from '../../../src/schema/values/index.ts';
import { AT, at, barePod } from '../../support/objects.ts';

const ramp = { shape: 'ramp', from: 0, to: 1000, overMs: 10_000 } as const;
const constant = (is: number) => ({ shape: 'constant', is }) as const;
const ask = (name: string, namespace = 'default', labels: Readonly<Record<string, string>> = {}): Question => ({
  name,
  namespace,
  matches: (of) => Object.entries(labels).every(([key, value]) => of[key] === value),
});
const seriesOf = (...specs: readonly SeriesSpec[]) => {
  const { series } = createMetered(undefined, specs, at(0));
  if (series === undefined) throw new Error('there are metrics');
  return series;
};
/** A pod that has run since a second. */
const podOf = (name: string, since: number | undefined, more: { meta?: object; status?: object } = {}): Pod =>
  barePod(name, 'Running', {
    meta: { labels: { app: 'web' }, ...more.meta },
    status: {
      containerStatuses: since === undefined ? [] : [{ name: 'c', state: { running: { startedAt: formatTime(at(since)) } } }],
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: AT }],
      ...more.status,
    },
  });

it('the APIs are available where they have metrics', () => {
  const object = { name: 'm', object: { kind: 'Service', name: 's' }, value: constant(1) };
  const pods = { name: 'm', pods: {}, value: constant(1) };
  const external = { name: 'm', external: true, value: constant(1) };
  const available = (...specs: readonly SeriesSpec[]) => {
    const made = seriesOf(...specs);
    expect(made.specs).toEqual(specs);
    return [made.custom, made.external];
  };
  expect([available(object), available(pods), available(object, pods), available(external), available()]).toEqual([
    [true, false],
    [true, false],
    [true, false],
    [false, true],
    [false, false],
  ]);
});

describe('metrics of pods', () => {
  const pods = [
    podOf('old', 0),
    podOf('new', 8),
    podOf('starting', undefined),
    podOf('other', 0, { meta: { labels: { app: 'db' } } }),
    podOf('done', 0, { status: { phase: 'Succeeded' } }),
    podOf('bare', 0, { meta: { labels: undefined } }),
  ];
  const values = (specs: readonly SeriesSpec[], question: Question) => {
    const found = seriesOf(...specs).ofPods(question, pods, () => pods, at(10));
    return found === undefined ? undefined : Object.fromEntries(found);
  };
  const web = { matchLabels: { app: 'web' } };

  it('count from the start of the first container of each running pod', () => {
    expect(values([{ name: 'm', pods: web, value: ramp }], ask('m'))).toEqual({ 'default/old': 1000, 'default/new': 200 });
  });

  it('are the first that have a value for the pod', () => {
    const specs = [
      { name: 'm', pods: web, value: ramp },
      { name: 'n', pods: {}, value: constant(5) },
      { name: 'm', pods: {}, value: constant(7) },
    ];
    expect(values(specs, ask('m'))).toEqual({ 'default/old': 1000, 'default/new': 200, 'default/other': 7, 'default/bare': 7 });
  });

  it('are absent by another name, namespace or label', () => {
    const spec = { name: 'm', namespace: 'default', pods: web, labels: { path: '/' }, value: constant(1) };
    expect([values([spec], ask('n')), values([spec], ask('m', 'other')), values([spec], ask('m', 'default', { path: '/x' }))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(values([spec], ask('m', 'default', { path: '/' }))).toEqual({ 'default/old': 1, 'default/new': 1 });
    const { labels: _, ...unlabelled } = spec;
    expect([values([unlabelled], ask('m')), values([unlabelled], ask('m', 'default', { path: '/' }))]).toEqual([
      { 'default/old': 1, 'default/new': 1 },
      undefined,
    ]);
  });

  it('that are shared count from the start of the run, in equal parts among the ready pods', () => {
    expect(values([{ name: 'm', pods: web, shared: true, value: ramp }], ask('m'))).toEqual({
      'default/old': 250,
      'default/new': 250,
      'default/starting': 250,
    });
    const elsewhere = values([{ name: 'm', pods: web, shared: true, namespace: 'other', value: ramp }], ask('m', 'other'));
    expect(elsewhere).toEqual({ 'default/old': 0, 'default/new': 0, 'default/starting': 0 });
  });
});

describe('metrics of an object', () => {
  const series = seriesOf(
    { name: 'm', object: { kind: 'Service', name: 'a' }, value: ramp },
    { name: 'm', object: { kind: 'Ingress', name: 'a' }, value: constant(3) },
    { name: 'm', object: { kind: 'Ingress', name: 'a' }, value: constant(4) },
    { name: 'm', pods: {}, value: constant(9) },
  );

  it('are found by its kind and name, and count from the start of the run', () => {
    const of = (kind: string, name: string, metric = 'm') => series.ofObject(ask(metric), { kind, name }, at(5));
    expect([of('Service', 'a'), of('Ingress', 'a'), of('Service', 'b'), of('Pod', 'a'), of('Service', 'a', 'n')]).toEqual([
      500,
      3,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

it('external metrics are all that match', () => {
  const series = seriesOf(
    { name: 'm', external: true, labels: { q: 'a' }, value: ramp },
    { name: 'm', external: true, value: constant(2) },
    { name: 'm', external: false, value: constant(3) },
    { name: 'n', external: true, value: constant(4) },
  );
  expect(series.fromOutside(ask('m'), at(1))).toEqual([
    { labels: { q: 'a' }, value: 100 },
    { labels: {}, value: 2 },
  ]);
  expect(series.fromOutside(ask('m', 'default', { q: 'a' }), at(2))).toEqual([{ labels: { q: 'a' }, value: 200 }]);
  expect(series.fromOutside(ask('none'), at(1))).toEqual([]);
});
