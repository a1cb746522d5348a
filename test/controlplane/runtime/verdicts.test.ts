/** What fault rules and choice points do to a request, and how long it takes. */
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../src/apiserver/request/index.ts';
import type { FaultRules, RequestVerdict } from '../../../src/controlplane/runtime/context.ts';
import { drawDelay, oneWayLatency, throttledFor, verdictOfRules, verdictOn } from '../../../src/controlplane/runtime/requests.ts';

describe('the verdict of fault rules', () => {
  const fail = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' } as const;
  const envelope = { request: { verb: 'list', kind: 'Pod' }, by: { process: 'm' }, causes: [] } as unknown as Envelope;
  const rules = (...verdicts: readonly (RequestVerdict | undefined)[]): readonly FaultRules[] =>
    verdicts.map((verdict) => ({ request: () => verdict }));

  it.each<readonly [RequestVerdict | undefined, RequestVerdict | undefined, RequestVerdict | undefined]>([
    [undefined, undefined, undefined],
    [{ loseResponse: true }, undefined, { loseResponse: true }],
    [undefined, { delayMs: 3 }, { delayMs: 3 }],
    [{ delayMs: 3 }, { delayMs: 4 }, { delayMs: 7 }],
    [{ fail }, { delayMs: 4 }, { fail, delayMs: 4 }],
    [{ fail }, { fail: { ...fail, code: 1 } }, { fail }],
    [{ loseResponse: true }, { fail }, { fail, loseResponse: true }],
    [{}, { loseResponse: true }, { loseResponse: true }],
    [{ loseResponse: false }, {}, {}],
    [{ crash: 'after' }, { crash: 'before' }, { crash: 'before' }],
    [{ crash: 'before' }, { crash: 'after' }, { crash: 'before' }],
    [{ crash: 'after' }, { delayMs: 1 }, { crash: 'after', delayMs: 1 }],
    [{}, { crash: 'after' }, { crash: 'after' }],
  ])('%j and %j together are %j', (one, other, both) => {
    expect(verdictOfRules(rules(one, other), envelope, 0)).toStrictEqual(both);
    expect(verdictOfRules(rules(other), envelope, 0, one)).toStrictEqual(both);
  });

  it('asks every rule, with the time, even if one removes itself', () => {
    const asked: string[] = [];
    const all: FaultRules[] = [{}];
    for (const name of ['a', 'b'])
      all.push({
        request: (_, now) => {
          asked.push(`${name} at ${now}`);
          all.shift();
          return undefined;
        },
      });
    verdictOfRules(all, envelope, 5);
    expect(asked).toEqual(['a at 5', 'b at 5']);
  });

  it('comes after the choice point, which a late request has passed', () => {
    const asked: string[] = [];
    const on = (chosen: RequestVerdict | undefined, faults: readonly FaultRules[], late = false): RequestVerdict | undefined =>
      verdictOn(
        { points: { write: () => (asked.push('asked'), chosen) }, context: { faults: () => faults, kernel: { now: 0 } } } as never,
        envelope,
        late,
      );
    expect(on({ delayMs: 9 }, rules({ fail }))).toEqual({ delayMs: 9 });
    expect(on({ delayMs: 0 }, rules({ fail }))).toEqual({ fail });
    expect(on({ crash: 'after' }, rules({ delayMs: 2 }))).toEqual({ crash: 'after', delayMs: 2 });
    expect(on({ crash: 'after' }, [])).toEqual({ crash: 'after' });
    expect(asked).toHaveLength(4);
    expect(on({ crash: 'after' }, rules({ delayMs: 2 }), true)).toEqual({ delayMs: 2 });
    expect(asked).toHaveLength(4);
    expect(verdictOn({ points: undefined, context: { faults: () => [], kernel: { now: 0 } } } as never, envelope, false)).toBeUndefined();
  });
});

describe('the time that a request takes', () => {
  it('is drawn between two bounds, or fixed without a draw', () => {
    const drawn: unknown[] = [];
    const random = { stream: (name: string) => ({ between: (min: number, max: number) => (drawn.push([name, min, max]), 7) }) } as never;
    expect([drawDelay(5, random, 's'), drawDelay({ min: 1, max: 9 }, random, 's')]).toEqual([5, 7]);
    expect(drawn).toEqual([['s', 1, 9]]);
    expect([0, 1, 2, 5].map(oneWayLatency)).toEqual([0, 0, 1, 2]);
  });

  it('is limited by the client of the process, except for its elector and its reports', () => {
    const [elector, unlimited, other] = [{}, {}, {}];
    const process = { limiter: { take: (now: number) => now + 1 }, spec: { elector, unlimited } };
    const of = (controller: object): number => throttledFor({ process, controller } as never, 4);
    expect([
      of(other),
      of(elector),
      of(unlimited),
      throttledFor({ process: { ...process, limiter: undefined }, controller: other } as never, 4),
    ]).toEqual([5, 0, 0, 0]);
  });
});
