/** What a run is about is drawn: budgets, quotas, namespaces that end, load against pods, clocks, candidates, breaches. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { breachesAt } from '../../../src/surfaces/page/model/headline.ts';
import type { Card } from '../../../src/surfaces/page/model/card.ts';
import { cardsOf, conditionsOf } from '../../../src/surfaces/page/model/cards.ts';
import { modelOf, type Model } from '../../../src/surfaces/page/model/index.ts';
import { wallClock } from '../../../src/surfaces/page/model/words.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';

function modelFor(file: string, text = readFileSync(`scenarios/${file}.yaml`, 'utf8')): Model {
  const answer = createBench().answer({ ask: 'run', scenario: { file: `${file}.yaml`, text } });
  if (answer.is !== 'run') throw new Error(JSON.stringify(answer));
  return modelOf(answer.run);
}

/** The cards of a kind at every step, without repetition. */
function shown(model: Model, kind: string): readonly Card[] {
  const all = new Map<string, Card>();
  for (let step = 0; step <= model.length; step++) {
    model.world.moveTo(step);
    const card = cardsOf(model.world).cards.find(({ held }) => held.kind === kind);
    if (card !== undefined) all.set(JSON.stringify([card.lines, card.note, card.slots, card.chart]), card);
  }
  return [...all.values()];
}

const linesOf = ({ lines = [], note }: Card): string => [...lines.map(({ label, text }) => `${label}: ${text}`), note].join(' | ');

it('a budget says how many evictions it allows, and whom it refused', () => {
  const cards = shown(modelFor('node/06-evictions-keep-a-budget'), 'PodDisruptionBudget');
  const said = cards.map(linesOf);
  expect(said).toContain('refused: eviction of web-0 | 0 evictions allowed · 0 of 3 healthy, 2 required');
  expect(said.some((line) => line.endsWith('1 eviction allowed · 3 of 3 healthy, 2 required'))).toBe(true);
  const free = cards.find(({ note }) => note.startsWith('1 eviction allowed'));
  expect(free?.slots?.map(({ title }) => title)).toEqual(['required', 'required', 'may be evicted']);
});

it('a quota says what is used of what, and what it refused', () => {
  const text = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: quota }
spec:
  steps:
    - apply: { apiVersion: v1, kind: ResourceQuota, metadata: { name: team }, spec: { hard: { pods: "2", services: "9" } } }
    - at: 1s
      apply: { apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { completions: 3, parallelism: 3, template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
  until: 3s
`;
  const said = shown(modelFor('quota', text), 'ResourceQuota').map(linesOf);
  expect(said).toContain('pods: 0 of 2 | services: 0 of 9 | there is room');
  expect(said.at(-1)).toMatch(/^pods: 2 of 2 \| services: 0 of 9 \| refused(?: \d+×)?: create Pod j-\* \| pods used up$/);
});

it('a namespace has a card while it ends, with what remains of it', () => {
  const model = modelFor('incidents/04-namespace-stuck');
  model.world.moveTo(0);
  expect(cardsOf(model.world).cards.some(({ held }) => held.kind === 'Namespace')).toBe(false);
  const said = shown(model, 'Namespace').map(linesOf);
  expect(said.some((line) => /: [1-9]\d* left/.test(line))).toBe(true);
});

it('an autoscaler draws the load that it measured against its pods', () => {
  const model = modelFor('lessons/16-autoscaler');
  model.world.moveTo(model.trace.entries.findLastIndex(({ at }) => at - model.trace.startAt <= 46_000) + 1);
  const card = cardsOf(model.world).cards.find(({ held }) => held.kind === 'HorizontalPodAutoscaler');
  // Two pods at 200 % of a target of 50 %.
  expect(card?.chart).toMatchObject({ load: 'load for 8', pods: '2 pods · desired 6', bounds: [2 / 12, 1] });
  model.world.moveTo(model.length);
  const { points = [] } = cardsOf(model.world).cards.find(({ held }) => held.kind === 'HorizontalPodAutoscaler')?.chart ?? {};
  expect(points.length).toBeGreaterThan(20);
  expect(points.every(({ x, load, pods }) => [x, load, pods].every((share) => share >= 0 && share <= 1))).toBe(true);
  expect(points.some(({ load, pods }) => load > pods)).toBe(true);
  expect(points.some(({ load, pods }) => load < pods)).toBe(true);
});

it('a clock shows what a zone shows, also in a night without 02:30', () => {
  expect(wallClock(Date.parse('2024-03-31T00:30:00Z'), 'UTC')).toBe('00:30 31 Mar');
  expect(wallClock(Date.parse('2024-03-31T00:59:00Z'), 'Europe/Berlin')).toBe('01:59 31 Mar');
  expect(wallClock(Date.parse('2024-03-31T01:00:00Z'), 'Europe/Berlin')).toBe('03:00 31 Mar');
  expect(wallClock(0, 'Nowhere/At-All')).toBeUndefined();
});

describe('conditions', () => {
  const of = (...conditions: readonly object[]): readonly string[] =>
    conditionsOf({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
      status: { conditions },
    }).map(({ text, bad }) => `${text}${bad ? ' (bad)' : ''}`);

  it('that are False are shown if they matter, and first', () => {
    expect(of({ type: 'Available', status: 'True' }, { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' })).toEqual(
      ['Progressing: False (bad)', 'Available'],
    );
    expect(of({ type: 'ScalingLimited', status: 'False' }, { type: 'ReplicaFailure', status: 'True' })).toEqual(['ReplicaFailure (bad)']);
    expect(of({ type: 'Ready', status: 'Unknown' }, { status: 'False' }, 7 as unknown as object)).toEqual(['Ready: Unknown (bad)']);
  });
});

it('a breach has its moment, its words and its object', () => {
  const model = modelFor('broken/job-forgets-a-success');
  const [failure] = model.run.failures;
  const at = failure?.step ?? 0;
  expect(at).toBeGreaterThan(0);
  expect(breachesAt(model, at - 1)).toEqual([]);
  const [breach] = breachesAt(model, at);
  model.world.moveTo(at);
  expect(breach).toMatchObject({
    step: at,
    title: failure?.invariant,
    uid: model.world.find('Job', 'default/nightly')?.object.metadata.uid,
  });
});
