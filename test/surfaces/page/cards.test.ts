/** Object cards: which objects have one, their content, and where a set of a Deployment is shown. */
import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/surfaces/page/model/card.ts';
import { cardOf, cardsOf, hasCard } from '../../../src/surfaces/page/model/cards.ts';
import { modelOf, type Model } from '../../../src/surfaces/page/model/index.ts';
import { layoutOf } from '../../../src/surfaces/page/model/layout.ts';
import { nextRequeue } from '../../../src/surfaces/page/model/actors.ts';
import type { Held } from '../../../src/surfaces/page/model/world.ts';
import { stagedAt } from '../../../src/surfaces/page/model/staged.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';
import { LONG_NAMES } from './pictures/scenarios.ts';

const TEMPLATE = 'template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } }';

function modelFor(text: string): Model {
  const answer = createBench().answer({ ask: 'run', scenario: { file: 'cards.yaml', text } });
  if (answer.is !== 'run') throw new Error(JSON.stringify(answer));
  return modelOf(answer.run);
}

const scenario = (cluster: string, ...steps: readonly string[]): string => `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: cards }
spec:
  cluster: ${cluster}
  steps:
${steps.map((step) => `    - ${step}\n`).join('')}`;

/** The last step at or before an instant. */
const stepAt = ({ trace: { entries, startAt } }: Model, ms: number): number => entries.findLastIndex(({ at }) => at - startAt <= ms) + 1;

function cardsAt(model: Model, step: number): readonly Card[] {
  model.world.moveTo(step);
  return cardsOf(model.world).cards;
}

const found = (cards: readonly Card[], kind: string, name?: string): Card => {
  const card = cards.find(({ held }) => held.kind === kind && (name === undefined || held.object.metadata.name === name));
  if (card === undefined) throw new Error(`no card of ${kind} ${name ?? ''}`);
  return card;
};

const all = modelFor(LONG_NAMES);

describe('a Deployment', () => {
  const steps = Array.from({ length: all.length + 1 }, (_, step) => step).filter((step) => stepAt(all, 19_000) < step);
  const cards = steps.map((step) => cardsAt(all, step).find(({ held }) => held.kind === 'Deployment'));

  it('has its sets on its card, by revision, and these have no cards', () => {
    expect(found(cardsAt(all, stepAt(all, 19_000)), 'Deployment').sets?.map(({ label }) => label)).toEqual(['revision 1']);
    const last = cardsAt(all, all.length);
    const { sets = [], note } = found(last, 'Deployment');
    expect(sets.map(({ label, note: says }) => [label, says])).toEqual([
      ['revision 2', '3 of 3 ready'],
      ['revision 1', '0 of 0 ready'],
    ]);
    expect(note).toBe('3 of 3 ready');
    expect(last.some(({ held }) => held.kind === 'ReplicaSet')).toBe(false);
  });

  it('shows a rollout: pods of both revisions, and the number of new ones', () => {
    const both = cards.filter((card) => card?.sets?.every(({ slots }) => slots.length > 0) === true && card.sets.length === 2);
    expect(both.length).toBeGreaterThan(10);
    expect(cards.some((card) => /of 3 ready · [12] updated/.test(card?.note ?? ''))).toBe(true);
    for (const card of both) expect(new Set(card?.sets?.map(({ revision }) => revision)).size).toBe(2);
  });

  it('gives its sets positions for arrows', () => {
    const staged = stagedAt(all, all.length, undefined, undefined);
    const { cards: boxes, onCards } = layoutOf(all, staged, 900);
    const { held, sets = [] } = found(staged.cards, 'Deployment');
    for (const set of sets) expect(onCards.get(set.held.object.metadata.uid)).toBe(boxes.get(held.object.metadata.uid));
  });
});

it('a ReplicaSet without a Deployment has a card', () => {
  const model = modelFor(
    scenario(
      '{}',
      'apply: { apiVersion: apps/v1, kind: ReplicaSet, metadata: { name: web }, spec: { replicas: 3, selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }',
    ),
  );
  const { slots = [], note } = found(cardsAt(model, model.length), 'ReplicaSet');
  expect([slots.map(({ is }) => is), note]).toEqual([['Ready', 'Ready', 'Ready'], '3 of 3 ready']);
});

it('a DaemonSet has a slot for each node, an autoscaler names its target', () => {
  const model = modelFor(
    scenario(
      '{ nodes: { count: 3 } }',
      'apply: { apiVersion: apps/v1, kind: DaemonSet, metadata: { name: logs }, spec: { selector: { matchLabels: { a: b } }, template: { metadata: { labels: { a: b } }, spec: { containers: [{ name: c, image: "c:1" }] } } } }',
      'apply: { apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: { name: h }, spec: { scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: web }, minReplicas: 2, maxReplicas: 5 } }',
    ).replace('  steps:', '  until: 30s\n  steps:'),
  );
  const cards = cardsAt(model, model.length);
  const { slots = [], note } = found(cards, 'DaemonSet');
  expect([slots.map(({ is }) => is), note]).toEqual([['Ready', 'Ready', 'Ready'], '3 of 3 nodes ready']);
  expect(found(cards, 'HorizontalPodAutoscaler').code).toBe('Deployment/web  2 to 5');
});

it('an indexed Job has a labelled slot for each index', () => {
  const model = modelFor(
    scenario(
      '{ podBehaviors: [{ runFor: 2s }] }',
      `apply: { apiVersion: batch/v1, kind: Job, metadata: { name: j }, spec: { completionMode: Indexed, completions: 4, parallelism: 2, ${TEMPLATE} } }`,
    ),
  );
  const states = Array.from({ length: model.length + 1 }, (_, step) => {
    const card = cardsAt(model, step).find(({ held }) => held.kind === 'Job');
    return (card?.slots ?? []).map(({ is, label }) => `${label ?? ''} ${is}`).join(', ');
  });
  expect(states).toContain('0 Ready, 1 Ready, 2 open, 3 open');
  expect(states).toContain('0 done, 1 done, 2 Ready, 3 Ready');
  expect(states.at(-1)).toBe('0 done, 1 done, 2 done, 3 done');
});

it('a schedule shows its next run, from its controller', () => {
  const { held } = found(cardsAt(all, stepAt(all, 30_000)), 'CronJob');
  const at = nextRequeue(all.decisions, 'cron-job', held.key, stepAt(all, 30_000));
  expect((at ?? 0) - all.trace.startAt).toBeGreaterThanOrEqual(60_000);
  expect((at ?? 0) - all.trace.startAt).toBeLessThan(61_000);
});

it('a volume has a card while it is unbound', () => {
  const model = modelFor(
    scenario(
      '{}',
      'apply: { apiVersion: v1, kind: PersistentVolume, metadata: { name: pv }, spec: { capacity: { storage: 1Gi }, accessModes: [ReadWriteOnce], storageClassName: "", persistentVolumeReclaimPolicy: Retain, hostPath: { path: /x } } }',
      'at: 5s\n      apply: { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: c }, spec: { accessModes: [ReadWriteOnce], storageClassName: "", volumeName: pv, resources: { requests: { storage: 1Gi } } } }',
    ),
  );
  const kinds = (step: number): readonly string[] => cardsAt(model, step).map(({ held: { kind } }) => kind);
  expect(kinds(stepAt(model, 4_000))).toEqual(['PersistentVolume']);
  expect(kinds(model.length)).toEqual(['PersistentVolumeClaim']);
  expect(found(cardsAt(model, model.length), 'PersistentVolumeClaim').code).toBe('Bound  1Gi');
});

it('objects of custom kinds have cards; auxiliary objects do not', () => {
  const held = (apiVersion: string, kind: string): Held => ({
    kind,
    key: 'default/b',
    object: {
      apiVersion,
      kind,
      metadata: { name: 'b', namespace: 'default', uid: 'u', resourceVersion: '1', creationTimestamp: '' },
      status: { phase: 'Sailing', crew: 3 },
    },
    at: 0,
    step: 0,
    order: 0,
    place: 0,
  });
  const boat = held('example.com/v1', 'Boat');
  expect(hasCard(boat.object)).toBe(true);
  expect(cardOf(boat, all.world)).toMatchObject({ code: 'Sailing', note: 'crew 3', leaving: false });
  for (const [version, kind] of [
    ['v1', 'ConfigMap'],
    ['rbac.authorization.orch.io/v1', 'Role'],
    ['discovery.k8s.io/v1', 'EndpointSlice'],
  ] as const)
    expect(hasCard(held(version, kind).object)).toBe(false);
});

it('an endpoint names its pod', () => {
  const { slots = [], note } = found(cardsAt(all, all.length), 'Service', 'db');
  expect(note).toBe('3 of 3 endpoints ready');
  expect(new Set(slots.map(({ title }) => title))).toEqual(new Set([0, 1, 2].map((at) => `a-data-base-with-a-long-name-${at}, ready`)));
});
