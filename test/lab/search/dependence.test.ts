/** Which pending events depend on each other: only the orders of those are explored, so that a search ends and misses nothing. */
import { describe, expect, it } from 'vitest';
import { generalInvariants } from '../../../src/lab/invariants/general.ts';
import type { Invariant } from '../../../src/lab/invariants/index.ts';
import type { Item, Scenario } from '../../../src/lab/scenario/index.ts';
import {
  dependent,
  groupOf,
  judgedTogether,
  meetsIn,
  moveOf,
  type Move,
  type OrderRules,
} from '../../../src/lab/search/exhaustive/dependence.ts';
import { orderRulesAt, orderRulesOf, withLatency } from '../../../src/lab/search/exhaustive/walk.ts';

type Judging = Parameters<typeof judgedTogether>[0][number];
type Write = Extract<Move, { readonly does: 'write' }>;
const RULES: OrderRules = { apart: true, drawn: false };
const sees = (process: string, kind: string): Move => ({ does: 'deliver', process, kind });
const thinks = (process: string, controller: string, watches: readonly string[] = [], elects = false): Move => ({
  does: 'think',
  process,
  controller,
  elects,
  watches: new Set(watches),
});
const writes = (process: string, controller: string, kind: string, more: Partial<Write> = {}): Move => ({
  does: 'write',
  process,
  controller,
  elects: false,
  watches: new Set(),
  kind,
  plain: true,
  draws: false,
  ...more,
});
/** A controller of `m` watches Pods and Jobs. */
const meets = (process: string, a: string, b: string): boolean => process === 'm' && [a, b].sort().join(' ') === 'Job Pod';
const elector = (process: string): Move => thinks(process, 'elector', [], true);

describe('two events are dependent', () => {
  it.each<[boolean, string, Move, Move, Partial<OrderRules>?]>([
    [true, 'of kinds that one controller watches', sees('m', 'Pod'), sees('m', 'Job')],
    [false, 'of kinds that no controller watches together', sees('m', 'Pod'), sees('m', 'Node')],
    [false, 'that different processes see', sees('m', 'Pod'), sees('n', 'Job')],
    [true, 'a decision about what comes', sees('m', 'Pod'), thinks('m', 'x', ['Job', 'Pod'])],
    [false, 'a decision about another kind', sees('m', 'Pod'), thinks('m', 'x', ['Job'])],
    [false, 'a decision of another process', sees('m', 'Pod'), thinks('n', 'x', ['Pod'])],
    [true, 'an election, with all that its process sees', sees('m', 'Pod'), elector('m')],
    [false, 'an election, with what another process sees', sees('m', 'Pod'), elector('n')],
    [true, 'a write of a controller that sees something', sees('m', 'Pod'), writes('m', 'x', 'Job', { watches: new Set(['Pod']) })],
    [false, 'a write of a controller that sees nothing of it', sees('m', 'Pod'), writes('m', 'x', 'Pod')],
    [false, 'a write, with what another process sees', sees('m', 'Pod'), writes('n', 'x', 'Pod', { watches: new Set(['Pod']) })],
    [true, 'an election, with a decision of its process', elector('m'), thinks('m', 'x')],
    [false, 'an election, with a decision elsewhere', elector('m'), thinks('n', 'x')],
    [true, 'an election, with a write elsewhere', elector('m'), writes('n', 'x', 'Pod')],
    [false, 'the write of an election, with a decision elsewhere', writes('m', 'elector', 'Lease', { elects: true }), thinks('n', 'x')],
    [true, 'the write of an election, with a decision beside it', writes('m', 'elector', 'Lease', { elects: true }), thinks('m', 'x')],
    [true, 'the write of an election, with another', writes('m', 'e', 'Lease', { elects: true }), writes('n', 'x', 'Pod')],
    [true, 'two decisions of a controller', thinks('m', 'x'), thinks('m', 'x')],
    [false, 'decisions of two controllers', thinks('m', 'x'), thinks('m', 'y')],
    [true, 'decisions of two controllers whose delays are drawn', thinks('m', 'x'), thinks('m', 'y'), { drawn: true }],
    [false, 'decisions of one name in two processes', thinks('m', 'x'), thinks('n', 'x'), { drawn: true }],
    [false, 'a decision and a write', thinks('m', 'x'), writes('m', 'y', 'Pod')],
    [true, 'a decision and a write of one controller', thinks('m', 'x'), writes('m', 'x', 'Pod')],
    [false, 'writes of two kinds', writes('m', 'x', 'Pod'), writes('n', 'y', 'Job')],
    [true, 'writes of one kind', writes('m', 'x', 'Pod'), writes('n', 'y', 'Pod')],
    [true, 'a write for which the server reads others', writes('m', 'x', 'Pod', { plain: false }), writes('n', 'y', 'Job')],
    [false, 'a write that draws a name', writes('m', 'x', 'Pod', { draws: true }), writes('n', 'y', 'Job')],
    [true, 'writes that draw names', writes('m', 'x', 'Pod', { draws: true }), writes('n', 'y', 'Job', { draws: true })],
    [true, 'writes that are checked together', writes('m', 'x', 'Pod'), writes('n', 'y', 'Job'), { together: (a, b) => meets('m', a, b) }],
    [false, 'writes that are not', writes('m', 'x', 'Pod'), writes('n', 'y', 'Node'), { together: (a, b) => meets('m', a, b) }],
    [true, 'decisions of agents, which draw addresses', thinks('agent/a', 'x'), thinks('agent/b', 'y')],
    [false, 'a decision of an agent and another', thinks('agent/a', 'x'), thinks('m', 'y')],
    [false, 'a decision and a write of agents', thinks('agent/a', 'x'), writes('agent/b', 'y', 'Pod')],
    [true, 'a write, while a step waits', thinks('m', 'x'), writes('n', 'y', 'Pod'), { alert: true }],
    [false, 'decisions, while a step waits', thinks('m', 'x'), thinks('n', 'y'), { alert: true }],
    [true, 'all, without latency', sees('m', 'Pod'), thinks('n', 'y'), { apart: false }],
    [true, 'the end of a fault', { does: 'anything' }, sees('m', 'Pod')],
  ])('%s: %s', (is, _, one, other, more = {}) => {
    const rules = { ...RULES, ...more };
    expect([dependent(one, other, rules, meets), dependent(other, one, rules, meets)]).toEqual([is, is]);
  });
});

describe('groups of pending events', () => {
  const group = (...moves: readonly Move[]): readonly number[] => groupOf(moves, RULES, () => false);

  it('contain dependent events, local ones first, small ones first, older ones first', () => {
    const request = (process: string, kind: string, draws = false): Move => writes(process, process, kind, { draws });
    expect(group(request('a', 'Job'), sees('b', 'Pod'), thinks('b', 'y', ['Pod']), sees('c', 'Pod'))).toEqual([3]);
    expect(group(request('a', 'Job'), sees('b', 'Pod'), thinks('b', 'y', ['Pod']))).toEqual([1, 2]);
    expect(group(thinks('b', 'y'), thinks('b', 'y'), thinks('b', 'z'))).toEqual([2]);
    expect(group(thinks('b', 'y'), thinks('b', 'z'))).toEqual([0]);
    expect(group(request('a', 'Pod'), request('b', 'Job'), request('c', 'Pod'))).toEqual([1]);
    expect(group(request('a', 'Pod', true), request('b', 'Job', true))).toEqual([0, 1]);
    expect(group({ does: 'anything' }, sees('b', 'Pod'), sees('c', 'Pod'))).toEqual([0, 1, 2]);
    expect(groupOf([sees('b', 'Pod'), sees('c', 'Pod')], { ...RULES, apart: false }, () => false)).toEqual([0, 1]);
  });

  it('are joined by an event that depends on several, in order of time', () => {
    const alone = [thinks('b', 'y', ['Pod']), thinks('c', 'y'), thinks('b', 'z', ['Pod'])];
    expect(group(...alone)).toEqual([0]);
    expect(group(alone[0] as Move, sees('b', 'Job'), alone[2] as Move, sees('b', 'Pod'), thinks('b', 'w', ['Job']))).toEqual([1, 4]);
    expect(group(alone[0] as Move, thinks('b', 'y'), alone[2] as Move, sees('b', 'Pod'))).toEqual([0, 1, 2, 3]);
  });
});

describe('what a pending event does', () => {
  const wanted = { name: 'x', reconciles: 'Job', watches: [{ kind: 'Pod' }] };
  const move = (type: string, write?: object, elector?: string): Move => {
    const queue = { at: () => ({ flight: { outcome: { writes: [write] } } }) };
    const running = new Map([['x', { controller: { ...wanted }, queue, process: { spec: { elector: { name: elector } } } }]]);
    const runtime = {
      resolver: {
        receiverOf: (stream: number) => (stream === 7 ? 'm' : undefined),
        controllerOf: (id: number) => (id === 1 ? { process: 'm', controller: 'x' } : undefined),
      },
      process: () => ({ running }),
    };
    const event = { type, kind: 'Pod', to: [3, 7], running: type === 'due' ? 2 : 1, keyId: 0, index: 0 };
    return moveOf({ runtime } as never, { event, part: 1 } as never);
  };
  const watches = new Set(['Job', 'Pod']);
  const actor = { process: 'm', controller: 'x', elects: false, watches };

  it('is a delivery, a decision, or anything', () => {
    expect(move('deliver')).toEqual({ does: 'deliver', process: 'm', kind: 'Pod' });
    expect(move('reconcile')).toEqual({ does: 'think', ...actor });
    expect(move('reconcile', undefined, 'x')).toEqual({ does: 'think', ...actor, elects: true });
    expect([move('due'), move('emit'), move('apply'), move('apply', { op: 'event' })]).toEqual(
      Array.from({ length: 4 }, () => ({ does: 'anything' })),
    );
  });

  it.each([
    [{ op: 'create', object: { kind: 'Pod' } }, 'Pod', true, true],
    [{ op: 'update', object: { kind: 'Job' } }, 'Job', true, false],
    [{ op: 'get', kind: 'Node' }, 'Node', true, false],
    [{ op: 'delete', kind: 'Pod' }, 'Pod', false, false],
    [{ op: 'create', object: { kind: 'Service' } }, 'Service', false, true],
    [{ op: 'post', kind: 'Pod', subresource: 'binding' }, 'Pod', true, true],
    [{ op: 'post', kind: 'Pod', subresource: 'eviction' }, 'Pod', false, true],
    [{ op: 'post', kind: 'Service', subresource: 'binding' }, 'Service', false, true],
    [{ op: 'patch', kind: 'Pod', subresource: 'binding' }, 'Pod', true, false],
  ])('is a write: %j', (write, kind, plain, draws) => {
    expect(move('apply', write)).toEqual({ does: 'write', ...actor, kind, plain, draws });
  });
});

it('two kinds meet in a controller that watches both, or whose own kind is one of them', () => {
  const controllers = [
    { reconciles: 'Job', watches: [{ kind: 'Pod' }] },
    { watches: [{ kind: 'Node' }, { kind: 'Lease' }] },
    { reconciles: 'Node' },
  ];
  const running = new Map(controllers.map((controller, at) => [at, { controller }]));
  const inCluster = meetsIn({ runtime: { process: (name: string) => (name === 'm' ? { running } : undefined) } } as never);
  const pairs = ['Job Pod', 'Pod Job', 'Node Lease', 'Job Node', 'Pod Lease', 'Node Job'].map((pair) => pair.split(' '));
  expect(pairs.map(([a = '', b = '']) => inCluster('m', a, b))).toEqual([true, true, true, false, false, false]);
  expect(inCluster('n', 'Job', 'Pod')).toBe(false);
});

it('writes are checked together by an invariant of several kinds, and by one of all kinds that a user wrote', () => {
  const judge = (...kinds: readonly string[]): Judging => ({ invariant: { kinds } }) as unknown as Judging;
  const [builtIn] = generalInvariants.filter(({ kinds }) => kinds.includes('*'));
  const asked = (...judges: readonly Judging[]) =>
    [
      ['Pod', 'Job'],
      ['Job', 'Pod'],
      ['Pod', 'Node'],
    ].map(([a = '', b = '']) => judgedTogether(judges)(a, b));
  expect(asked()).toEqual([false, false, false]);
  expect(asked(judge('Pod'), judge('Job'))).toEqual([false, false, false]);
  expect(asked(judge('Node'), judge('Pod', 'Job'))).toEqual([true, true, false]);
  expect(asked({ invariant: builtIn as Invariant })).toEqual([false, false, false]);
  expect(asked(judge('Pod'), judge('*'))).toEqual([true, true, true]);
});

describe('the rules of a scenario', () => {
  const ms = (minMs: number, maxMs = minMs) => ({ minMs, maxMs });
  const having = (api: object, watch: object): Scenario => ({ cluster: { nodes: [], latency: { api, watch } } }) as never;

  it('follow from its latencies: messages are apart, and their delays drawn', () => {
    const rules = (api: object, watch: object): readonly unknown[] => Object.values(orderRulesOf(having(api, watch)));
    expect(rules(ms(2), ms(1))).toEqual([true, false]);
    expect(rules(ms(1), ms(1))).toEqual([false, false]);
    expect(rules(ms(2), ms(0))).toEqual([false, false]);
    expect(rules(ms(2, 3), ms(1))).toEqual([true, true]);
    expect(rules(ms(3), ms(2, 3))).toEqual([true, true]);
    expect(rules(ms(0), ms(0))).toEqual([false, false]);
  });

  it('a scenario without latency gets the shortest, and keeps the rest', () => {
    const toy = having(ms(2), ms(1));
    expect(withLatency(having(ms(0), ms(0)))).toEqual({ scenario: toy, given: true });
    for (const each of [having(ms(0, 1), ms(0)), having(ms(0), ms(0, 1))])
      expect(withLatency(each)).toEqual({ scenario: each, given: false });
  });

  it('a write makes a step go on that waits for a condition', () => {
    const timed = (when: string, verb: string, beside?: string): Item =>
      ({ step: { timing: { when }, verb }, beside: beside === undefined ? undefined : { verb: beside } }) as never;
    const items = [timed('cel', 'note'), timed('revision', 'note'), timed('at', 'waitFor'), timed('next', 'apply', 'waitFor')];
    const alertAt = (taken: number, stage: string) => orderRulesAt(RULES, items, { items: taken, stage, since: 0 } as never).alert === true;
    const stages = ['due', 'taking', 'beside', 'end'];
    expect([0, 1, 2, 3, 4].map((taken) => stages.filter((stage) => alertAt(taken, stage)))).toEqual([
      ['due'],
      ['due'],
      ['taking'],
      ['beside'],
      [],
    ]);
    expect(orderRulesAt(RULES, items, { items: 0, stage: 'taking', since: 0 })).toBe(RULES);
  });
});
