/** An order that breaks an assertion, as a file: the file holds the overtaken event, and breaks the same assertion in the usual order. */
import { describe, expect, it } from 'vitest';
import { defineController, idle, update, wakeAt, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { formatScenario, type Scenario } from '../../../src/lab/scenario/index.ts';
import { choicesFor, explore, findingOf, baseline, withLatency } from '../../../src/lab/search/index.ts';
import { simulate } from '../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const toy = (invariant: string, steps: string): Scenario =>
  withLatency(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: race }
spec:
  until: 3s
  cluster: { nodes: { count: 0 } }
  invariants: [{ name: claim, foreach: ConfigMap, always: "${invariant}" }]
  steps:
${steps}`),
  ).scenario;

const bone = (at: string, name = 'bone', kind = 'ConfigMap'): string =>
  `    - { at: ${at}, apply: { apiVersion: v1, kind: ${kind}, metadata: { name: ${name} } } }\n`;
const said = ({ data }: { readonly data?: unknown }): string | undefined =>
  (data as Readonly<Record<string, string>> | undefined)?.['said'];
const says = (self: Parameters<typeof update>[0], text: string) =>
  update(self, (draft) => void ((draft as { data?: unknown }).data = { said: text }));
const planted = (name: string, reconcile: Controller<'ConfigMap'>['reconcile'], rest: Partial<Controller<'ConfigMap'>> = {}): Controller =>
  defineController({ name, reconciles: 'ConfigMap', writes: ['ConfigMap'], models: 'nothing: it is planted', reconcile, ...rest });

/** The order of requests matters. */
const racer = (name: string): Controller =>
  planted(name, ({ self }) =>
    self.metadata.name !== 'bone' || said(self) !== undefined ? idle('somebody was first') : write('it is first', says(self, name)),
  );
/** It reads once, at an instant at which the object may or may not have arrived. */
const looker = planted(
  'looker',
  ({ self, cache, now }) => {
    if (self.metadata.name !== 'bone' || said(self) !== undefined) return idle('it has looked');
    const second = 1_000;
    const since = Date.parse(self.metadata.creationTimestamp);
    if (now < since + second) return wakeAt(since + second, 'it looks later');
    return write('it looks', says(self, cache.list('Secret', 'default').length > 0 ? 'there' : 'missing'));
  },
  { watches: [{ kind: 'Secret', enqueue: () => [] }] },
);
/** The first key that it decides about gets everything. */
const greedy = (): Controller =>
  defineController<'ConfigMap', unknown, { first?: string }>({
    name: 'greedy',
    reconciles: 'ConfigMap',
    writes: ['ConfigMap'],
    models: 'nothing: it is planted',
    start: () => ({}),
    reconcile({ self, state, now }) {
      const { name } = self.metadata;
      if (!name.startsWith('bone') || said(self) !== undefined) return idle('it has had its turn');
      const due = Date.parse('2024-03-01T00:00:02Z');
      if (now < due) return wakeAt(due, 'all decide at once');
      state.first ??= name;
      return write('its turn', says(self, state.first === name ? 'first' : 'later'));
    },
  });

interface Race {
  readonly scenario: Scenario;
  readonly controllers: readonly Controller[];
  /** The choice in the file. */
  readonly choice: RegExp;
}

const RACES: readonly (readonly [string, Race])[] = [
  [
    'a request before another',
    {
      scenario: toy("self.metadata.name != 'bone' || self.?data.?said.orValue('left') == 'left'", bone('1s')),
      controllers: [racer('left'), racer('right')],
      choice: /write controller-manager left default\/bone: update ConfigMap #1.*late/,
    },
  ],
  [
    'a decision before a watch event',
    {
      scenario: toy("self.?data.?said.orValue('there') == 'there'", bone('1s') + bone('1999ms', 'there', 'Secret')),
      controllers: [looker],
      choice: /see controller-manager Secret default\/there #1.*hold/,
    },
  ],
  [
    'a decision before another',
    {
      scenario: toy(
        "self.metadata.name != 'bone-a' || self.?data.?said.orValue('first') == 'first'",
        bone('1s', 'bone-a') + bone('1s', 'bone-b'),
      ),
      controllers: [greedy()],
      choice: /decide controller-manager greedy default\/bone-a .*hold/,
    },
  ],
];

describe.each(RACES)('%s', (_, { scenario, controllers: planted_, choice }) => {
  it('is found, and is a file that reproduces it', { timeout: 60_000 }, () => {
    const making = { controllers: () => planted_ };
    const looked = baseline(scenario, making);
    if ('unfit' in looked) throw new Error(`${looked.unfit}: ${looked.messages.join('; ')}`);
    const { quiescence, field } = looked;
    const { findings, complete } = explore(quiescence.scenario, making);
    expect([complete, findings.map(({ cause }) => cause.claim)]).toEqual([true, ['claim']]);
    // Without partial-order reduction the same assertion breaks, and no other.
    const all = explore(quiescence.scenario, { ...making, rules: { apart: false, drawn: true } });
    expect([all.complete, all.findings.map(({ cause }) => cause.claim)]).toEqual([true, ['claim']]);
    const [found] = findings;
    const choices = found === undefined ? undefined : choicesFor({ scenario: quiescence.scenario, making }, found);
    if (found === undefined || choices === undefined) throw new Error('no delay leads there');
    const ground = { scenario: quiescence.scenario, field: { ...field, seed: 1, faults: [] } };
    const small = findingOf(ground, { cause: found.cause, choices, run: 1, firstRun: 1, seen: 1 }, making);
    expect(small?.choices.map((each) => JSON.stringify(each))).toEqual([expect.stringMatching(choice)]);
    const file = scenarioIn(formatScenario(small?.scenario ?? scenario));
    const { failures, unused } = simulate(file, making);
    expect(failures.map(({ invariant }) => invariant)).toContain('claim');
    expect(unused).toEqual([]);
    expect(simulate({ ...file, choices: [] }, making).failures).toEqual([]);
  });
});
