/** The reduction of a finding: fewer faults, one fault elsewhere, faults of the controller to blame, weaker ones, and less of a scenario. */
import { describe, expect, it } from 'vitest';
import { replaying } from '../../../src/lab/choices/index.ts';
import { defineController, idle, update, wakeAt, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import type { PointChoice, Scenario } from '../../../src/lab/scenario/index.ts';
import { quiesced } from '../../../src/lab/search/healing.ts';
import { pointsOf, reproduction } from '../../../src/lab/search/reproduction.ts';
import { shrink } from '../../../src/lab/search/shrink/shrink.ts';
import type { BeginTrials } from '../../../src/lab/search/shrink/trials.ts';
import { scenarioIn } from '../../support/scenarios.ts';

const scenarioOf = (claim: string): Scenario =>
  quiesced(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: planted }
spec:
  until: 20s
  cluster: { nodes: { count: 2 }, latency: { api: 2ms, watch: 1ms } }
  invariants: [{ name: claim, foreach: ConfigMap, always: "${claim}" }]
  steps:
    - { at: 1s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { stage: "0" } } }
    - { at: 2s, apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: other } } }
`),
    20_000,
    true,
  ).scenario;

type Data = Readonly<Record<string, string>>;
const planted = { writes: ['ConfigMap'], reconciles: 'ConfigMap', models: 'nothing: it is planted' } as const;
/** Writes `times` times, a second apart; `note` says what else it writes. */
const counter = <S>(
  times: number,
  start: () => S,
  note: (state: S, stage: number) => Data,
  rest: Partial<Controller<'ConfigMap', unknown, S>> = {},
): Controller =>
  defineController<'ConfigMap', unknown, S>({
    ...planted,
    name: 'counter',
    start,
    reconcile({ self, now, state }) {
      const stage = Number(self.data?.['stage'] ?? times);
      const due = Date.parse(self.metadata.creationTimestamp) + stage * 1000;
      if (stage >= times) return idle('it is done');
      if (now < due) return wakeAt(due, 'it is early');
      return write(
        'it is time',
        update(self, (draft) => void (draft.data = { ...note(state, stage), stage: String(stage + 1) })),
      );
    },
    ...rest,
  });

/** Counts refused writes; those of some stages count twice. */
const lossy = (times: number, ...twice: readonly number[]): Controller =>
  counter(
    times,
    () => ({ lost: 0 }),
    ({ lost }) => ({ lost: String(lost) }),
    {
      recover({ state, self }) {
        state.lost += twice.includes(Number(self?.data?.['stage'])) ? 2 : 1;
        return undefined;
      },
    },
  );
/** Forgets at a restart that it has written. */
const forgetful = counter(
  4,
  () => ({ made: 0 }),
  (state, stage) => ({ forgot: state.made++ < stage ? 'yes' : 'no' }),
);
const idler: Controller = defineController({ ...planted, name: 'idler', reconcile: () => idle('it does nothing') });

const LOST = "int(self.?data.?lost.orValue('0')) < 2";
const FORGOT = "self.?data.?forgot.orValue('no') == 'no'";
const IDLER = 'decide controller-manager idler default/other w0+1';
const COUNTER = 'decide controller-manager counter default/bone';

const refuse = (nth: number): PointChoice => ({
  at: `write controller-manager counter default/bone: update ConfigMap #${nth}`,
  injectedFault: { do: 'refuse', code: 500 },
});
const hold = (at: string, ms: number): PointChoice => ({ at, injectedFault: { do: 'hold', ms } });
const crash = (at: string, restartAfterMs: number): PointChoice => ({ at, injectedFault: { do: 'crash', when: 'before', restartAfterMs } });

function reduced(claim: string, controllers: readonly Controller[], choices: readonly PointChoice[], begin?: BeginTrials) {
  const scenario = scenarioOf(claim);
  const small = shrink(scenario, choices, { claim: 'claim', message: '' }, { controllers: () => controllers }, begin);
  if (small === undefined) return undefined;
  const { steps, cluster } = small.scenario;
  return { choices: small.choices, runs: small.runs, steps: steps.length, nodes: cluster.nodes.length, of: small.cause.controller };
}

describe('what is left of a finding', () => {
  it.each<[string, string, readonly Controller[], readonly PointChoice[], readonly PointChoice[], runs: number, steps: number]>([
    ['two faults, where both are needed', LOST, [lossy(4)], [refuse(1), refuse(2)], [refuse(1), refuse(2)], 18, 1],
    ['no fault that is not needed', LOST, [lossy(4), idler], [refuse(1), hold(IDLER, 1000), refuse(2)], [refuse(1), refuse(2)], 21, 1],
    ['one fault elsewhere that does the same', LOST, [lossy(4, 2)], [refuse(1), refuse(2)], [refuse(3)], 14, 1],
    ['the nearest of those', LOST, [lossy(7, 1, 5)], [refuse(5), refuse(4)], [refuse(6)], 14, 1],
    ['the earlier of those', LOST, [lossy(7, 1, 5)], [refuse(4), refuse(5)], [refuse(2)], 15, 1],
    ['a crash at the controller that it misleads', FORGOT, [forgetful, idler], [crash(IDLER, 5000)], [crash(`${COUNTER} w1+1`, 1)], 13, 2],
    ['the same behind another controller', FORGOT, [idler, forgetful], [crash(IDLER, 5000)], [crash(`${COUNTER} w1+1`, 1)], 13, 2],
    ['a shorter crash where it is', FORGOT, [forgetful], [crash(`${COUNTER} w2+1`, 5000)], [crash(`${COUNTER} w2+1`, 1)], 10, 1],
  ])('is %s', (_, claim, controllers, choices, left, runs, steps) => {
    expect(reduced(claim, controllers, choices)).toEqual({ choices: left, runs, steps, nodes: 1, of: 'counter' });
  });

  it('is nothing where the failure does not reproduce, or reproduces without faults', () => {
    expect(reduced(LOST, [lossy(4)], [refuse(1)])).toBeUndefined();
    expect(reduced("self.?data.?lost.orValue('') != '0'", [lossy(4)], [refuse(1)])).toBeUndefined();
  });
});

it('goes on in trials of a scenario that is run often, with the same result', () => {
  const begun: (readonly number[])[] = [];
  const asked: (readonly PointChoice[])[] = [];
  const begin: BeginTrials = (scenario, making, question) => {
    begun.push([scenario.steps.length, (question.by ?? 0) - scenario.startAt]);
    return {
      reproduction(choices) {
        asked.push(choices);
        return reproduction(scenario, making, replaying(choices), question);
      },
      points: (choices) => pointsOf(scenario, making, replaying(choices)),
    };
  };
  const choices = [refuse(1), refuse(2)];
  const small = reduced(LOST, [lossy(12)], choices, begin);
  expect(small).toEqual(reduced(LOST, [lossy(12)], choices));
  // Two of twelve writes are tried again: fourteen points. A failure counts up to the longest fault after the end of fault injection.
  expect([small?.choices, begun, asked]).toEqual([choices, [[2, 80_000]], [[refuse(14)]]]);
});
