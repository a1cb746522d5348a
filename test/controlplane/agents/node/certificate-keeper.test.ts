/** One decision about an agent's certificate: what it has, what it asked for, and when it looks again. */
import { describe, expect, it } from 'vitest';
import { certificateKeeper, type Folder, isGood } from '../../../../src/controlplane/agents/node/certificates.ts';
import type { CertificateSigner } from '../../../../src/controlplane/agents/specs.ts';
import type { Outcome } from '../../../../src/controlplane/runtime/index.ts';
import { at } from '../../../support/objects.ts';
import { decide, linesOf } from '../../../support/reconcile.ts';

type Options = Parameters<typeof certificateKeeper>[0];
const keeper = (more: Partial<Options> = {}) =>
  certificateKeeper({
    usage: 'client',
    machine: 'n',
    folder: {},
    signers: [],
    startAt: at(0),
    mayBootstrap: true,
    rotates: true,
    opens: true,
    ...more,
  });
const look = (seconds: number, more: Partial<Options> = {}, memory?: object): Outcome =>
  decide(keeper(more), { objects: [], key: 'client', now: at(seconds), memory });
const lines = (...given: Parameters<typeof look>) => linesOf(look(...given));
const goodFor = (from: number, until: number, usage: 'client' | 'serving' = 'client'): Partial<Options> => ({
  folder: { [usage]: { from: at(from), until: at(until) } },
});
const DAY = 86_400;
const SIGNER: CertificateSigner = { delayMs: 5_000 };

describe('an agent without a certificate', () => {
  it('requests one, and waits for the response, at most an hour', () => {
    const why = 'it has no valid client certificate: request one';
    expect(lines(3)).toEqual([why, 'memory: {askedAt:@3}', 'wakeAt: @3603', 'background: true']);
    const answer = { at: at(8), certificate: { from: at(8), until: at(8 + 365 * DAY) } };
    expect(look(3, { signers: [SIGNER] })).toEqual({ why, writes: [], memory: { askedAt: at(3), answer, held: undefined }, wakeAt: at(8) });
    const memory = { askedAt: at(3), answer };
    expect(lines(7.999, {}, memory)[0]).toBe('its request for a client certificate is pending');
    expect(look(8, {}, memory)).toEqual({
      why: 'its request for a client certificate was approved: the certificate is valid for 31536000 s',
      writes: [],
      memory: {},
      wakeAt: at(8) + 1,
      background: true,
      actions: [{ does: 'certificate', usage: 'client', is: answer.certificate }],
      process: 'lead',
    });
  });

  it('requests again when its time is over, or a minute after a denial', () => {
    expect(lines(3_602.999, {}, { askedAt: at(3) }).slice(-2)).toEqual(['wakeAt: @3603', 'background: true']);
    expect(lines(3_603, {}, { askedAt: at(3) })).toEqual([
      'its request for a client certificate is unanswered: request again',
      'memory: {rotateAt:@3603}',
      'wakeAt: @3603.001',
      'background: true',
    ]);
    expect(lines(8, {}, { askedAt: at(3), answer: { at: at(8), denied: true } })).toEqual([
      'its request for a client certificate was denied; the next request is in a minute',
      'memory: {rotateAt:@68}',
      'wakeAt: @68',
      'background: true',
    ]);
    expect(lines(0, { signers: [{ delayMs: 0, denies: true }] })[0]).toContain('was denied');
  });

  it('waits a quarter of an hour for a serving certificate, and opens nothing with it', () => {
    const serving = { usage: 'serving', opens: false } as const;
    expect(lines(0, serving)).toContain('wakeAt: @900');
    expect(look(0, { ...serving, signers: [{ delayMs: 0, lastsMs: 7_000 }] })).toMatchObject({
      why: 'its request for a serving certificate was approved: the certificate is valid for 7 s',
      actions: [{ usage: 'serving', is: { from: at(0), until: at(7) } }],
    });
    expect(look(0, { ...serving, signers: [{ delayMs: 0 }] })).not.toHaveProperty('process');
  });

  it('cannot get one without a bootstrap configuration', () => {
    const why = 'its client certificate has expired, and there is no bootstrap configuration to request another';
    expect([lines(0, { mayBootstrap: false }), lines(9, { mayBootstrap: false, ...goodFor(0, 9) })]).toEqual([[why], [why]]);
  });
});

describe('an agent whose certificate has expired', () => {
  const held = { held: true };
  const expired = goodFor(0, 100);

  it('goes on for five minutes while it is refused, and then exits', () => {
    const refused = ['its client certificate has expired: the API server refuses its requests', 'memory: {held:true}', 'wakeAt: @400'];
    const all = [...refused, 'background: true'];
    expect([100, 399.999].map((seconds) => lines(seconds, expired, held))).toEqual([all, all]);
    expect(lines(400, expired, held)).toEqual([
      'its client certificate expired five minutes ago, and the API server is healthy: the agent exits and restarts',
      'process: exit',
    ]);
  });

  it('requests another one when it starts, and for its server at once', () => {
    expect(lines(100, expired)[0]).toBe('it has no valid client certificate: request one');
    const serving = { usage: 'serving', opens: false, ...goodFor(0, 100, 'serving') } as const;
    expect(lines(100, serving, held)[0]).toBe('it has no valid serving certificate: request one');
  });
});

describe('an agent with a certificate', () => {
  it('keeps it until it expires, where certificates are not rotated', () => {
    expect(lines(40, { ...goodFor(0, 100), rotates: false })).toEqual([
      'its client certificate is good for 60 s, and certificate rotation is off',
      'memory: {held:true}',
      'wakeAt: @100',
      'background: true',
      'process: lead',
    ]);
    expect(look(40, { ...goodFor(0, 100), rotates: false, opens: false })).not.toHaveProperty('process');
  });

  it('requests the next one when 70 to 90 % of its lifetime has passed', () => {
    const { wakeAt = 0, memory } = look(1_100, goodFor(1_000, 2_000)) as Outcome<{ rotateAt: number }>;
    expect([wakeAt >= at(1_700), wakeAt <= at(1_900), memory]).toEqual([true, true, { rotateAt: wakeAt, held: true }]);
    const good = 'its client certificate is good: the next one is requested when 70 to 90 % of its lifetime has passed';
    const next = 'most of the lifetime of its client certificate has passed: request the next one';
    const why = (seconds: number) => look(seconds, goodFor(1_000, 2_000), { rotateAt: at(1_750) }).why;
    expect([why(1_749.999), why(1_750)]).toEqual([good, next]);
    expect(lines(1_750, { ...goodFor(1_000, 2_000), signers: [SIGNER] }, { rotateAt: at(1_750) }).slice(2)).toEqual([
      'wakeAt: @1755',
      'process: lead',
    ]);
  });

  it('waits for the next one no longer than it has this one, and takes it', () => {
    const waits = (until: number) => lines(1_760, goodFor(1_000, until), { askedAt: at(1_750) });
    expect([waits(2_000), waits(9_000)].map((all) => all.slice(2))).toEqual([
      ['wakeAt: @2000', 'background: true', 'process: lead'],
      ['wakeAt: @2650', 'background: true', 'process: lead'],
    ]);
    const certificate = { from: at(1_755), until: at(2_755) };
    expect(look(1_755, goodFor(1_000, 2_000), { askedAt: at(1_750), answer: { at: at(1_755), certificate } })).toMatchObject({
      memory: { held: true },
      actions: [{ does: 'certificate', is: certificate }],
      process: 'lead',
    });
    expect(lines(1_755, goodFor(1_000, 2_000), { askedAt: at(1_750), answer: { at: at(9_999), certificate } })).toContain(
      'background: true',
    );
  });

  it('stores what it gets', () => {
    const folder: Folder = {};
    const is = { from: 1, until: 5 };
    keeper({ folder }).act?.({ does: 'certificate', usage: 'client', is }, {} as never);
    expect([folder, isGood(folder.client, 4), isGood(folder.client, 5), isGood(undefined, 0)]).toEqual([
      { client: is },
      true,
      false,
      false,
    ]);
  });
});

describe('of several signers', () => {
  const answerTo = (seconds: number, ...signers: readonly CertificateSigner[]) => {
    const { memory } = look(seconds, { signers }) as Outcome<{ answer?: { at: number; certificate?: { until: number } } }>;
    const { answer } = memory ?? {};
    return answer === undefined ? undefined : [(answer.at - at(0)) / 1000, ((answer.certificate?.until ?? 0) - answer.at) / 1000];
  };
  const signer = (more: Partial<CertificateSigner>): CertificateSigner => ({ delayMs: 10_000, lastsMs: 1_000, ...more });

  it('the first response counts, of equal ones that of the first', () => {
    expect(answerTo(0, signer({}), signer({ delayMs: 9_000, lastsMs: 2_000 }))).toEqual([9, 2]);
    expect(answerTo(0, signer({}), signer({ lastsMs: 2_000 }))).toEqual([10, 1]);
  });

  it('only those count that sign such requests of this machine', () => {
    expect([
      answerTo(0, signer({ signs: 'serving' })),
      answerTo(0, signer({ signs: 'client' })),
      answerTo(0, signer({ nodes: ['m'] })),
      answerTo(0, signer({ nodes: ['m', 'n'] })),
    ]).toEqual([undefined, [10, 1], undefined, [10, 1]]);
  });

  it('one responds from its time on, and until its time', () => {
    expect([answerTo(3, signer({ fromMs: 20_000 })), answerTo(30, signer({ fromMs: 20_000 }))]).toEqual([
      [30, 1],
      [40, 1],
    ]);
    expect([9_999, 10_000, 10_001].map((untilMs) => answerTo(0, signer({ untilMs })))).toEqual([undefined, undefined, [10, 1]]);
  });
});
