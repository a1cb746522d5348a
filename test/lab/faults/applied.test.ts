/** Faults of a scenario, applied to a small cluster: what they say, the rules that they install, and when these end. */
import { describe, expect, it } from 'vitest';
import type { Envelope } from '../../../src/apiserver/request/index.ts';
import type { FaultRules } from '../../../src/controlplane/runtime/index.ts';
import { MANAGER, NOW, start } from './small-cluster.ts';

const rule = ({ cluster }: ReturnType<typeof start>): FaultRules => {
  const [first] = cluster.faults;
  if (first === undefined) throw new Error('there is no rule');
  return first;
};
const by = (process: string, verb = 'create', kind = 'Pod'): Envelope =>
  ({ by: { process }, request: { verb, kind } }) as unknown as Envelope;

interface Case {
  readonly fault: string;
  readonly subject?: string;
  readonly parameters: object;
  readonly detail: string;
  readonly says?: string;
  readonly describes: unknown;
  /** The end, after 500 ms; absent: there is none. */
  readonly ends?: string;
}
const until = { for: 500 };
const CASES: readonly Case[] = [
  {
    fault: 'lag',
    parameters: { by: 1_500, ...until },
    detail: `${MANAGER} sees changes 1500 ms late`,
    says: 'sees changes 1.5 s late',
    describes: ['lag', MANAGER, 1_500, 'all'],
    ends: `the lag of ${MANAGER} ends`,
  },
  {
    fault: 'lag',
    parameters: { by: 5, kinds: ['Pod', 'Job'] },
    detail: `${MANAGER} sees changes 5 ms late`,
    says: 'sees changes of Pod, Job 0.005 s late',
    describes: ['lag', MANAGER, 5, ['Pod', 'Job']],
  },
  {
    fault: 'partition',
    parameters: until,
    detail: `${MANAGER} is cut off`,
    says: 'is cut off from the server',
    describes: ['cut', MANAGER, NOW + 500],
    ends: `${MANAGER} is connected again`,
  },
  {
    fault: 'freeze',
    parameters: until,
    detail: `${MANAGER} sees nothing new`,
    says: 'sees nothing new',
    describes: ['freeze', MANAGER, NOW + 500],
    ends: `${MANAGER} sees changes again`,
  },
  {
    fault: 'gap',
    parameters: until,
    detail: `the watches of ${MANAGER} are broken`,
    says: 'receives no changes until it lists again',
    describes: ['gap', MANAGER, NOW + 500, 'all'],
    ends: `${MANAGER} lists again`,
  },
  {
    fault: 'gap',
    parameters: { ...until, kinds: ['Pod', 'Job'] },
    detail: `the watches of ${MANAGER} are broken`,
    says: 'receives no changes of Pod, Job until it lists again',
    describes: ['gap', MANAGER, NOW + 500, ['Pod', 'Job']],
    ends: `${MANAGER} lists again`,
  },
  {
    fault: 'withholdBookmarks',
    subject: 'kubectl',
    parameters: until,
    detail: 'kubectl gets no bookmarks',
    says: 'gets no bookmarks',
    describes: ['withholdBookmarks', 'kubectl', 'all', { withoutBookmarks: true }],
    ends: 'withholdBookmarks of kubectl ends',
  },
  {
    fault: 'slowReader',
    subject: 'kubectl',
    parameters: { every: 20, kinds: ['Pod'] },
    detail: 'kubectl reads one watch event in 20 ms',
    says: 'reads one event in 20 ms',
    describes: ['slowReader', 'kubectl', ['Pod'], { readsEveryMs: 20 }],
  },
  {
    fault: 'slowRequests',
    subject: 'kubectl',
    parameters: { by: 20, ...until },
    detail: 'requests of kubectl take 20 ms longer',
    says: 'has requests that take 20 ms longer',
    describes: ['slowRequests', 'kubectl', 'all', { requestsTakeMs: 20 }],
    ends: 'slowRequests of kubectl ends',
  },
  {
    fault: 'pause',
    subject: 'kubectl',
    parameters: until,
    detail: 'kubectl is suspended',
    says: 'is suspended',
    describes: ['pause', 'kubectl', 'all', { heldUntil: NOW + 500 }],
    ends: 'pause of kubectl ends',
  },
  {
    fault: 'freeze',
    subject: 'kubectl',
    parameters: { revision: 2, ...until },
    detail: 'kubectl is shown the state of revision 2',
    says: 'is shown the state of revision 2',
    describes: ['freeze', 'kubectl', 'all', { frozenAt: 2, heldUntil: NOW + 500 }],
    ends: 'freeze of kubectl ends',
  },
  {
    fault: 'freeze',
    subject: 'kubectl',
    parameters: { revision: 2, onlyCached: true, kinds: ['Pod'] },
    detail: 'kubectl is shown the state of revision 2',
    says: 'is shown the state of revision 2',
    describes: ['freeze', 'kubectl', ['Pod'], { frozenAt: 2, heldUntil: Infinity, onlyCached: true }],
  },
];

describe.each(CASES)('$fault with $parameters', ({ fault, subject = MANAGER, parameters, detail, says, describes, ends }) => {
  it('says what it does, and ends', () => {
    const { apply, rules, pass, seen } = start();
    expect(apply(fault, subject, parameters)).toBe(detail);
    const notice = {
      process: subject,
      says,
      ...('for' in parameters ? { until: NOW + 500 } : {}),
      ...(fault === 'freeze' && subject === MANAGER ? { until: NOW + 500 } : {}),
    };
    expect(rules()).toEqual([[notice, describes]]);
    pass(499);
    expect(rules()).toHaveLength(1);
    pass(1);
    expect(rules()).toHaveLength(ends === undefined ? 1 : 0);
    const ended = seen.flatMap((one) => (one.type === 'fault' ? [[one.fault, one.detail]] : []));
    expect(ended).toEqual(ends === undefined ? [] : [['end', ends]]);
  });
});

it('a freeze without an end has none', () => {
  const { apply, rules, pass } = start();
  apply('freeze', MANAGER);
  pass(9_999);
  expect(rules()).toEqual([[{ process: MANAGER, says: 'sees nothing new', until: Infinity }, ['freeze', MANAGER, Infinity]]]);
});

it('a client is shown the present state, or that of some time ago', () => {
  const { cluster, apply, rules, set } = start();
  const before = cluster.store.revision;
  cluster.runUntil(NOW + 1_000);
  set('c', 'new');
  apply('freeze', 'kubectl');
  apply('freeze', 'kubectl', { staleBy: 1_000 });
  apply('freeze', 'kubectl', { staleBy: 0 });
  expect(rules().map((each) => ((each as never)[1] as readonly { frozenAt?: number }[])[3]?.frozenAt)).toEqual([
    before + 1,
    before,
    before + 1,
  ]);
});

describe('rules', () => {
  it('of a lag, a gap and views are about the process and the kinds that they name', () => {
    const world = start();
    world.apply('lag', MANAGER, { by: 5, kinds: ['Pod'] });
    const late = (process: string, kind: string) => rule(world).delivery?.(process, { kind } as never, NOW);
    expect([late(MANAGER, 'Pod'), late(MANAGER, 'Job'), late('other', 'Pod')]).toEqual([5, undefined, undefined]);
    const other = start();
    other.apply('pause', 'kubectl', { for: 5 });
    const view = (client: string, kind: string) => rule(other).view?.(client, kind);
    expect([view('kubectl', 'Pod'), view('operator', 'Pod')]).toEqual([{ heldUntil: NOW + 5 }, undefined]);
    const third = start();
    third.apply('slowReader', 'kubectl', { every: 9, kinds: ['Job'] });
    expect([rule(third).view?.('kubectl', 'Pod'), rule(third).view?.('kubectl', 'Job')]).toEqual([undefined, { readsEveryMs: 9 }]);
  });

  const fail = (code: number, reason: string, details?: object): object => ({
    fail: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `a fault answered ${code}`,
      reason,
      code,
      ...(details === undefined ? {} : { details }),
    },
  });

  it.each<readonly [object, string, unknown, readonly unknown[]]>([
    [{}, 'the next request of controller-manager will fail', ['failRequest', MANAGER, 1, {}], [fail(500, 'InternalError'), undefined]],
    [
      { times: 2, code: 503, retryAfter: 4 },
      'the next 2 requests of controller-manager will fail',
      ['failRequest', MANAGER, 2, { times: 2, code: 503, retryAfter: 4 }],
      [fail(503, 'ServiceUnavailable', { retryAfterSeconds: 4 }), fail(503, 'ServiceUnavailable', { retryAfterSeconds: 4 }), undefined],
    ],
    [
      { nth: 3, loseResponse: true },
      'request 3 from now of controller-manager will lose the answer',
      ['failRequest', MANAGER, 1, { nth: 3, loseResponse: true }, 2],
      [undefined, undefined, { loseResponse: true }, undefined],
    ],
    [
      { nth: 1, times: 1, code: 409 },
      'the next request of controller-manager will fail',
      ['failRequest', MANAGER, 1, { nth: 1, times: 1, code: 409 }],
      [fail(409, 'Conflict'), undefined],
    ],
  ])('of failRequest with %j count requests', (parameters, detail, describes, verdicts) => {
    const world = start();
    expect(world.apply('failRequest', MANAGER, parameters)).toBe(detail);
    expect(world.rules()).toEqual([[undefined, describes]]);
    const asked = rule(world);
    expect([asked.request?.(by('other'), NOW), ...verdicts.map(() => asked.request?.(by(MANAGER), NOW))]).toEqual([undefined, ...verdicts]);
    expect(world.rules()).toEqual([]);
  });

  it('of failRequest may be about a verb and kinds', () => {
    const world = start();
    world.apply('failRequest', MANAGER, { verb: 'patch', kinds: ['Job'], times: 9 });
    const asked = ([verb, kind]: readonly [string, string]): boolean => rule(world).request?.(by(MANAGER, verb, kind), NOW) !== undefined;
    expect(
      (
        [
          ['patch', 'Job'],
          ['patch', 'Pod'],
          ['create', 'Job'],
        ] as const
      ).map(asked),
    ).toEqual([true, false, false]);
    expect(world.rules()).toEqual([[undefined, ['failRequest', MANAGER, 8, { verb: 'patch', kinds: ['Job'], times: 9 }]]]);
  });

  it('of a crash count writes, those of a client without its reads, leases and Events', () => {
    const world = start();
    expect(world.apply('crash', 'kubectl', { afterWrites: 2 })).toBe('kubectl will crash right after write 2 from here');
    const asked = rule(world);
    expect(world.rules()).toEqual([[undefined, ['crash', 'kubectl', 2, undefined]]]);
    const passed = [
      by('other'),
      by('kubectl', 'get'),
      by('kubectl', 'list'),
      by('kubectl', 'watch'),
      by('kubectl', 'update', 'Lease'),
      by('kubectl', 'create', 'Event'),
      by('kubectl'),
    ];
    expect(passed.map((envelope) => asked.request?.(envelope, NOW))).toEqual(passed.map(() => undefined));
    expect(world.rules()).toEqual([[undefined, ['crash', 'kubectl', 1, undefined]]]);
    expect(asked.request?.(by('kubectl', 'delete'), NOW)).toEqual({ crash: 'after' });
    expect(world.rules()).toEqual([]);
    const next = start();
    expect(next.apply('crash', MANAGER, { beforeWrite: 1, restartAfter: 7 })).toBe(`${MANAGER} will crash right before write 1 from here`);
    expect(next.rules()).toEqual([[undefined, ['crash', MANAGER, 1, 7, 'before']]]);
    expect(rule(next).request?.(by(MANAGER, 'get'), NOW)).toEqual({ crash: 'before' });
  });
});
