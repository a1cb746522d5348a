/** What is said of a finding: the hint, and the story in five lines. */
import { describe, expect, it } from 'vitest';
import type { InjectedFault, PointChoice, Scenario } from '../../../src/lab/scenario/index.ts';
import type { Blamed, Retold } from '../../../src/lab/search/blame.ts';
import type { Cause } from '../../../src/lab/search/cause.ts';
import type { Judgement } from '../../../src/lab/search/judgement.ts';
import { hintOf } from '../../../src/lab/search/idiom.ts';
import { deciderOf, storyLinesOf, storyOfFinding } from '../../../src/lab/search/story.ts';

const write = (request: string, parts: object = {}, type = 'MODIFIED') =>
  ({
    type: 'write',
    at: 4_000,
    request,
    change: { type, kind: 'Pod', key: 'default/p', object: { kind: 'Pod', metadata: { name: 'p', uid: 'u', ...parts } } },
  }) as never;
const uid = (of: string, more: object = {}) => ({ metadata: { uid: of, ...more } }) as never;
const blamed = (parts: Partial<Record<keyof Blamed, unknown>> = {}): Blamed =>
  ({
    step: 1,
    decision: { controller: 'job', process: 'm', key: 'default/a', at: 3_000, why: 'it is missing', writes: 1 },
    writes: [],
    underway: [],
    ...parts,
  }) as unknown as Blamed;
const unseen = (how: string, more: object = {}) => ({ how, kind: 'Pod', key: 'default/p', since: 1_000, ...more });
const view = (...all: readonly object[]): object => ({ unseen: all, reasons: [] });

describe('the hint', () => {
  const of = (parts: Partial<Record<keyof Blamed, unknown>>, ...faults: readonly InjectedFault['do'][]): string | undefined =>
    hintOf(
      { blamed: blamed(parts) } as unknown as Retold,
      faults.map((name) => ({ at: 'x', injectedFault: { do: name } }) as unknown as PointChoice),
    )?.idiom;
  const other = unseen('old', { saw: uid('a'), was: uid('b') });
  const same = unseen('old', { saw: uid('a'), was: uid('a') });

  it.each<readonly [string | undefined, Partial<Record<keyof Blamed, unknown>>, readonly InjectedFault['do'][]]>([
    ['deterministic name', { writes: [write('create Pod', { generateName: 'p-' }, 'ADDED')] }, []],
    [undefined, { writes: [write('create Pod', { generateName: '' }, 'ADDED')] }, []],
    [undefined, { writes: [write('create Pod', { generateName: 'p-' })] }, []],
    ['uid precondition', { writes: [write('delete Pod')], cacheView: view(other) }, []],
    ['uid precondition', { writes: [write('patch Pod')], cacheView: view(same, unseen('gone')) }, []],
    ['resourceVersion precondition', { writes: [write('update Pod')], cacheView: view(other) }, []],
    ['resourceVersion precondition', { writes: [write('patch Pod')], cacheView: view(same) }, []],
    ['finalizer first', { writes: [write('update Pod', { deletionTimestamp: 'x' })] }, ['crash']],
    [undefined, { writes: [write('update Pod', { deletionTimestamp: 'x' })] }, ['hold']],
    ['live read', { writes: [write('delete Pod')], cacheView: view(same) }, []],
    ['expectations', { writes: [write('create Pod')], cacheView: view(unseen('missing')) }, []],
    ['live read', { writes: [write('create Pod')], cacheView: view(same) }, []],
    ['requeue', {}, ['refuse', 'crash']],
    ['idempotent writes', { writes: [write('update Pod')] }, ['crash']],
    ['idempotent writes', {}, ['lose']],
    ['live read', { cacheView: view(same) }, ['hold']],
    [undefined, { cacheView: view() }, ['hold']],
  ])('is %s for %j with %j', (idiom, parts, faults) => {
    expect(of(parts, ...faults)).toBe(idiom);
  });

  it('has a text and a topic; none without a decision', () => {
    expect(hintOf({} as Retold, [])).toBeUndefined();
    const hint = hintOf({ blamed: blamed() } as unknown as Retold, [{ at: 'x', injectedFault: { do: 'refuse', code: 409 } }]);
    expect(hint).toMatchObject({ topic: 'idioms', text: expect.stringMatching(/^return the error or a wake-up/) as unknown });
  });
});

describe('the story', () => {
  const scenario = { steps: [], expressed: [] } as unknown as Scenario;
  const nobody = { mine: new Set<string>(), counts: () => true };
  const mine = { mine: new Set(['job']), counts: () => true };
  const told = (
    parts: Partial<Record<keyof Blamed, unknown>> | undefined,
    {
      judgement = nobody,
      choices = [],
      cause = { claim: 'job/never-stuck', message: 'x\ny' },
      failed = true,
    }: {
      readonly judgement?: Judgement;
      readonly choices?: readonly PointChoice[];
      readonly cause?: Cause;
      readonly failed?: boolean;
    } = {},
  ) =>
    storyOfFinding(scenario, choices, cause, {}, judgement, {
      trace: { startAt: 0 },
      ...(failed ? { failure: { sinceStartMs: 5_000, message: 'it broke' } } : {}),
      ...(parts === undefined ? {} : { blamed: blamed(parts) }),
    } as unknown as Retold);

  it('says what was wanted, and what broke when', () => {
    const line = {
      wanted:
        'When everything has settled, a Job that is neither finished, suspended nor at parallelism 0 has an active pod (job/never-stuck, stable)',
      world: '',
      saw: 'no decision of a controller is behind it',
      did: 'nothing',
    };
    expect(told(undefined)).toEqual({ ...line, broke: 'job/never-stuck at 5.000s: it broke' });
    expect(told(undefined, { failed: false }).broke).toBe('job/never-stuck: x');
    expect([
      told(undefined, { cause: { claim: 'no livelock', message: '' } }).wanted,
      told(undefined, { cause: { claim: 'the expectation', message: '' } }).wanted,
    ]).toEqual(['no livelock', 'the expectation holds in the end']);
    expect(storyLinesOf({ wanted: 'a', world: 'b', saw: 'c', did: 'd', broke: 'e' })).toEqual([
      'wanted  a',
      'world   b',
      'saw     c',
      'did     d',
      'broke   e',
    ]);
    expect([
      deciderOf({} as Retold, mine),
      deciderOf({ blamed: blamed() } as unknown as Retold, mine),
      deciderOf({ blamed: blamed() } as unknown as Retold, nobody)?.isMine,
    ]).toEqual([undefined, { controller: 'job', process: 'm', isMine: true }, false]);
  });

  const who = 'at 3.000s job decided about a';
  it.each<readonly [Partial<Record<keyof Blamed, unknown>>, string]>([
    [{}, who],
    [{ cacheView: view() }, `${who}, and its cache was up to date`],
    [{ isMissing: true }, `without the faults ${who}; with them it had not when this broke`],
    [{ lateMs: 1_500 }, `${who}, 1500ms later than without the faults`],
    [{ underway: [write('update Pod')] }, `${who}, while its own earlier update of Pod p was on its way until 4.000s`],
    [
      { underway: [{ ...(write('update Pod') as object), at: 3_000 }] },
      `${who}, but its cache did not show its own earlier update of Pod p yet`,
    ],
    [{ cacheView: view(unseen('missing')) }, `${who}, but its cache lacked Pod p, created 2s before`],
    [{ cacheView: view(unseen('gone')) }, `${who}, but its cache still had Pod p, deleted 2s before`],
    [
      { cacheView: view(unseen('old', { saw: uid('a'), was: uid('b') })) },
      `${who}, but its cache had an earlier Pod p, replaced by another of that name 2s before`,
    ],
    [
      { cacheView: view(unseen('old', { saw: uid('a'), was: uid('a', { deletionTimestamp: 'x' }) })) },
      `${who}, but its cache did not know that Pod p is being deleted, for 2s`,
    ],
    [
      { cacheView: view(unseen('old', { saw: uid('a', { deletionTimestamp: 'x' }), was: uid('a', { deletionTimestamp: 'x' }) })) },
      `${who}, but its cache had Pod p as it was before a change 2s before`,
    ],
    [{ cacheView: view(unseen('old')) }, `${who}, but its cache had Pod p as it was before a change 2s before`],
    [
      { cacheView: { unseen: Array.from({ length: 5 }, () => unseen('gone')), reasons: [{ text: 'is slow' }] } },
      `${who}, but its cache ${Array.from({ length: 3 }, () => 'still had Pod p, deleted 2s before').join(', ')}, and 2 more (m is slow)`,
    ],
  ])('of %j says what was seen', (parts, saw) => {
    expect(told(parts).saw).toBe(saw);
  });

  it('says whose the controller is, if the user has some', () => {
    expect([told({}, { judgement: mine }).saw, told({}, { judgement: { ...mine, mine: new Set(['x']) } }).saw]).toEqual([
      'at 3.000s job, yours, decided about a',
      'at 3.000s job, built in, of m, decided about a',
    ]);
  });

  it.each<readonly [Partial<Record<keyof Blamed, unknown>>, string]>([
    [{}, 'its writes did not reach the server, because "it is missing"'],
    [{ decision: { ...blamed().decision, writes: 0 } }, 'it wrote nothing, because "it is missing"'],
    [{ isMissing: true }, 'nothing'],
    [
      { writes: [write('update Pod'), { ...(write('create Event') as object), change: { kind: 'Event', key: 'default/e' } }] },
      'it wrote update Pod p, because "it is missing"',
    ],
    [
      { writes: Array.from({ length: 4 }, () => write('create Pod')), otherwise: 'all is well' },
      'it wrote create Pod p, create Pod p, create Pod p, and 1 more, because "it is missing"; without the faults, "all is well"',
    ],
    [{ otherwise: 'it is missing' }, 'its writes did not reach the server, because "it is missing"'],
  ])('of %j says what was done', (parts, did) => {
    expect(told(parts).did).toBe(did);
  });

  it('says what went wrong in the world, in plain words', () => {
    const lost: InjectedFault = { do: 'lose' };
    const at = (address: string, injectedFault: InjectedFault = lost): PointChoice => ({ at: address, injectedFault });
    const choices = [
      at('see m Pod default/a~1 #1', { do: 'hold', ms: 3_000 }),
      at('see m Pod other/a #2', { do: 'hold', ms: 1 }),
      at('decide m job default/a w0+1', { do: 'relist' }),
      at('write m job default/a: create Pod #3'),
      at('write m job default/a: update Job/status #4'),
      at('actor m sees Pod', { do: 'slow', ms: 10 } as never),
      at('actor m job decides', { do: 'slow', ms: 10 } as never),
      at('start agent/n default/p #1', { do: 'hang' }),
    ];
    expect(told(undefined, { choices }).world.split('; ')).toEqual([
      'the first change of Pod a~1 that m sees: comes 3s late',
      'the second change of Pod other/a that m sees: comes 1ms late',
      'a decision of job about a: the process lists all it watches again before it',
      'the third "create Pod" of job about a: is handled, and its answer is lost',
      'the 4th "update Job/status" of job about a: is handled, and its answer is lost',
      'all that m sees of Pod: each comes 10ms late',
      'all that job decides: each comes 10ms late',
      'start agent/n default/p #1: its containers run and are never ready',
    ]);
  });
});
