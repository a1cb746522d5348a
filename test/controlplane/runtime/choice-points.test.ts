/** Choice points of a run: a change that is sent, a decision, a request. Each asks its strategy once. */
import { describe, expect, it } from 'vitest';
import type { Points } from '../../../src/controlplane/runtime/context.ts';
import { about, making, START, world } from './config-maps.ts';

const MANAGER = 'controller-manager';
const QUIET: Points = { see: () => 0, decide: () => undefined, write: () => undefined, start: () => false };

/** A cluster whose controller makes a ConfigMap for `a`, with what happened and when. */
function start(strategy: (asked: string[]) => Partial<Points>) {
  const of = world(
    about({
      reconcile: ({ self: { metadata }, cache }) =>
        metadata.name !== 'a' || cache.get('ConfigMap', 'default', 'made') !== undefined
          ? { why: 'all is there', writes: [] }
          : { why: 'one is missing', writes: [making('made')] },
    }),
  );
  const asked: string[] = [];
  of.cluster.setStrategy({ ...QUIET, ...strategy(asked) });
  const happened = (): readonly string[] =>
    of.seen.flatMap((one) => {
      const ms = one.at - START;
      if (one.type === 'reconcile') return [`${ms} decides about ${one.key}`];
      if (one.type === 'write' && one.controller !== undefined) return [`${ms} writes ${one.change.key}`];
      if (one.type === 'delivery') return [`${ms} sees ${one.key}`];
      return one.type === 'process' ? [`${ms} ${one.what}`] : [];
    });
  of.make('a');
  return { ...of, asked, happened };
}
const ONE = ['50 sees default/a', '50 decides about default/a', '50 writes default/made'];

it('without a choice a run is the same as without a strategy', () => {
  const { happened, pass, asked } = start((said) => ({
    see: (process, { key }) => (said.push(`${process} sees ${key}`), 0),
    decide: ({ process, controller, key }) => void said.push(`${process} ${controller} decides about ${key}`),
    write: ({ request: { verb }, by: { key } }) => void said.push(`${key ?? ''}: ${verb}`),
  }));
  pass(200);
  expect(happened()).toEqual([...ONE, '100 sees default/made', '100 decides about default/made']);
  expect(asked).toEqual([
    `${MANAGER} sees default/a`,
    `${MANAGER} onlooker decides about default/a`,
    'default/a: create',
    `${MANAGER} sees default/made`,
    `${MANAGER} onlooker decides about default/made`,
  ]);
});

describe('a choice', () => {
  it('delays a change, and those after it', () => {
    const { happened, pass } = start((said) => ({ see: () => (said.push('x') === 1 ? 30 : 0) }));
    pass(79);
    expect(happened()).toEqual([]);
    pass(1);
    expect(happened()).toEqual(ONE.map((line) => line.replace('50', '80')));
  });

  it('postpones a decision, which then is made without asking again', () => {
    const { happened, pass, asked } = start((said) => ({ decide: ({ key }) => (said.push(key) === 1 ? { hold: 25 } : undefined) }));
    pass(74);
    expect(happened()).toEqual(['50 sees default/a']);
    pass(1);
    expect([happened(), asked]).toEqual([['50 sees default/a', '75 decides about default/a', '75 writes default/made'], ['default/a']]);
  });

  it('crashes a process before a decision', () => {
    const { cluster, happened, pass } = start((said) => ({ decide: () => (said.push('x') === 1 ? { crash: true } : undefined) }));
    pass(50);
    expect(happened()).toEqual(['50 sees default/a', '50 crashed']);
    cluster.runtime.restart(MANAGER, cluster.now + 10);
    pass(10);
    expect(happened()[2]).toBe('60 started');
    expect(happened()).toContain('60 decides about default/a');
  });

  it('delays a request, which then is made without asking again', () => {
    const { happened, pass, asked } = start((said) => ({ write: () => (said.push('x') === 1 ? { delayMs: 40 } : { crash: 'before' }) }));
    pass(89);
    expect(happened()).toEqual(ONE.slice(0, 2));
    pass(1);
    expect([happened(), asked]).toEqual([[...ONE.slice(0, 2), '90 writes default/made'], ['x']]);
  });

  it.each([
    ['before', ['50 crashed']],
    ['after', ['50 writes default/made', '50 crashed']],
  ] as const)('crashes a process %s a request', (crash, happens) => {
    const { happened, pass, cluster } = start(() => ({ write: () => ({ crash }) }));
    pass(60);
    expect(happened()).toEqual([...ONE.slice(0, 2), ...happens]);
    expect(cluster.runtime.process(MANAGER)?.up).toBe(false);
  });

  it('is made no more when the strategy is gone', () => {
    const { cluster, happened, pass } = start(() => ({ decide: () => ({ crash: true }), see: () => 999 }));
    cluster.setStrategy(undefined);
    pass(1_049);
    expect(happened()).toEqual(ONE.map((line) => line.replace('50', '1049')));
  });
});

it('a rule delays a request with every attempt, unless a strategy is asked', () => {
  let left = 2;
  const { cluster, happened, pass } = start(() => ({}));
  cluster.addFaults({ request: ({ by: { controller } }) => (controller === 'onlooker' && left-- > 0 ? { delayMs: 20 } : undefined) });
  pass(200);
  expect(happened()).toContain('90 writes default/made');
});
