/** Each type of entry as a line: who, about what, what, and why, with its tone and its author. */
import { describe, expect, it } from 'vitest';
import { authorOf, createRelevance, formatLine, lineParts, toneOf, type Entry } from '../../../src/lab/trace/index.ts';
import { became, decided, delivered, fault, lists, objectOf, other, START, traceOf, wrote } from './made.ts';

const pod = objectOf('Pod', 'a', 7, { status: { phase: 'Pending' } });
const running = objectOf('Pod', 'a', 8, { status: { phase: 'Running' } });
const marked = objectOf('Pod', 'a', 9, { status: { phase: 'Running' } }, { deletionTimestamp: 'T' });
const elsewhere = objectOf('Job', 'pi', 5, {}, { namespace: 'shop' });
const event = (involvedObject: unknown, members: object = {}) =>
  objectOf('Event', 'e', 3, { reason: 'Started', message: 'It runs.', involvedObject, ...members });
const refused = (status: object, more: object = {}) =>
  other(0, { type: 'refusal', actor: 'scheduler', request: 'create Pod default/a', status, ...more });

type Made = (id: number) => Entry;
type Row = readonly [name: string, made: Made, parts: object, author?: object];
const MANAGER = 'controller-manager';

const ROWS: readonly Row[] = [
  [
    'a creation',
    wrote(0, pod),
    { who: 'user', about: 'a', what: 'create Pod', revision: 'rv 7', tone: 'created' },
    { process: 'user', controller: undefined },
  ],
  [
    'a creation by a controller, for the object of its key',
    wrote(0, pod, { actor: MANAGER, controller: 'job', about: 'shop/pi' }),
    { who: 'job', about: 'shop/pi', what: 'create Pod a', revision: 'rv 7', tone: 'created' },
    { process: MANAGER, controller: 'job' },
  ],
  [
    'an update by a controller in a process of its own',
    wrote(0, running, { previous: pod, actor: 'scheduler', controller: 'scheduler-for-x' }),
    { who: 'scheduler', about: 'a', what: 'update Pod: status.phase Pending → Running', revision: 'rv 8', tone: 'changed' },
    { process: 'scheduler', controller: 'scheduler-for-x' },
  ],
  [
    'a write of a manager without a controller',
    wrote(0, elsewhere, { actor: MANAGER }),
    { who: MANAGER, about: 'shop/pi', what: 'create Job', revision: 'rv 5', tone: 'created' },
  ],
  [
    'a mark for deletion',
    wrote(0, marked, { previous: running }),
    { who: 'user', about: 'a', what: 'mark Pod for deletion', revision: 'rv 9', tone: 'removed' },
  ],
  [
    'an update of what is marked already',
    wrote(0, objectOf('Pod', 'a', 10, { status: { phase: 'Failed' } }, { deletionTimestamp: 'T' }), { previous: marked }),
    { who: 'user', about: 'a', what: 'update Pod: status.phase Running → Failed', revision: 'rv 10', tone: 'changed' },
  ],
  [
    'a deletion',
    wrote(0, marked, { previous: running, deleted: true }),
    { who: 'user', about: 'a', what: 'delete Pod', revision: 'rv 9', tone: 'removed' },
  ],
  [
    'an Event',
    wrote(0, event({ kind: 'Pod', namespace: 'shop', name: 'web' }), { about: 'default/a' }),
    { who: 'user', about: 'shop/web', what: 'event Started: It runs.', revision: 'rv 3', tone: 'event' },
  ],
  [
    'an Event about a node',
    wrote(0, event({ kind: 'Node', name: 'n' }, { message: 1 })),
    { who: 'user', about: 'n', what: 'event Started: ', revision: 'rv 3', tone: 'event' },
  ],
  [
    'an Event that is deleted',
    wrote(0, event({ name: 'n' }), { deleted: true }),
    { who: 'user', about: 'n', what: 'delete Event', revision: 'rv 3', tone: 'removed' },
  ],
  ...[null, 'n', {}, { name: 1 }].map((about): Row => [
    `an Event about ${JSON.stringify(about)}`,
    wrote(0, event(about)),
    { who: 'user', about: 'e', what: 'create Event', revision: 'rv 3', tone: 'created' },
  ]),
  [
    'a refusal',
    refused({ code: 409, message: 'it is there' }, { key: 'default/b' }),
    { who: 'scheduler', about: 'b', what: 'refused 409: create Pod default/a', why: 'it is there', tone: 'refused' },
    { process: 'scheduler', controller: undefined },
  ],
  ['a refusal without code and message', refused({}), { who: 'scheduler', what: 'refused : create Pod default/a', tone: 'refused' }],
  [
    'a long refusal',
    refused({ message: `${'x'.repeat(160)}y` }),
    { who: 'scheduler', what: 'refused : create Pod default/a', why: `${'x'.repeat(160)}…`, tone: 'refused' },
  ],
  [
    'a refusal of the longest length',
    refused({ message: 'x'.repeat(160) }),
    { who: 'scheduler', what: 'refused : create Pod default/a', why: 'x'.repeat(160), tone: 'refused' },
  ],
  [
    'a delivery',
    delivered(0, 'scheduler', elsewhere, 'DELETED'),
    { who: 'scheduler', about: 'shop/pi', what: 'sees deleted Job', revision: 'rv 5', tone: 'seen' },
    { process: 'scheduler' },
  ],
  ...(
    [
      [0, 'decides to wait'],
      [1, 'decides on 1 write'],
      [2, 'decides on 2 writes'],
    ] as const
  ).map(([writes, what]): Row => [
    `a decision about ${writes} writes`,
    decided(0, MANAGER, 'job', 'default/pi', { writes, why: 'so it is' }),
    { who: 'job', about: 'pi', what, why: 'so it is', tone: 'decided' },
    { process: MANAGER, controller: 'job' },
  ]),
  ...(
    [
      ['backoff', 'its back-off ends'],
      ['wake', 'wakes up'],
      ['delay', 'its delay ends'],
    ] as const
  ).map(([because, what]): Row => [
    `a timer: ${because}`,
    other(0, { type: 'timer', process: 'agent/n', controller: 'pod-runner', key: 'default/pi', because }),
    { who: 'agent/n', about: 'pi', what, tone: 'seen' },
    { process: 'agent/n', controller: 'pod-runner' },
  ]),
  [
    'a start',
    became(0, 'scheduler', 'started', lists(3, ['Pod'])),
    { who: 'scheduler', what: 'started', tone: 'operation' },
    { process: 'scheduler' },
  ],
  [
    'a start with gates',
    became(0, 'scheduler', 'started', { gates: { A: true, B: false } }),
    { who: 'scheduler', what: 'started, with A on, B off', tone: 'operation' },
  ],
  ['a process that leads', became(0, 'scheduler', 'leads'), { who: 'scheduler', what: 'leads', tone: 'operation' }],
  [
    'a process that follows',
    became(0, 'scheduler', 'follows', lists(3, ['Pod', 'Node'])),
    { who: 'scheduler', what: 'follows Pod, Node', tone: 'operation' },
  ],
  [
    'a client that lists',
    became(0, 'client', 'lists', lists(3, ['Pod', 'Node'])),
    { who: 'client', what: 'lists Pod, Node as of rv 3', tone: 'seen' },
  ],
  ...['crashed', 'stopped', 'retires', 'refused'].map((what): Row => [
    `a process that ${what}`,
    became(0, 'scheduler', what),
    { who: 'scheduler', what, tone: 'fault' },
  ]),
  [
    'a start that is refused',
    became(0, 'scheduler', 'refused', { refusal: 'a bad flag' }),
    { who: 'scheduler', what: 'does not start: a bad flag', tone: 'fault' },
  ],
  ['an operation', other(0, { type: 'operation', label: 'apply Job/pi' }), { who: 'scenario', what: 'apply Job/pi', tone: 'operation' }],
  [
    'a fault',
    fault(0, 'lag', 'scheduler', {}, 'by: 3s'),
    { who: 'fault', about: 'lag', what: 'lag happens', given: '(by: 3s)', tone: 'fault' },
  ],
  ['a fault without parameters', fault(0, 'lag', 'scheduler'), { who: 'fault', about: 'lag', what: 'lag happens', tone: 'fault' }],
  [
    'a fault that a search injects',
    other(0, { type: 'fault', fault: 'lag', detail: 'late' }),
    { who: 'fault', about: 'lag', what: 'late', tone: 'fault' },
  ],
  [
    'a check that held',
    other(0, { type: 'check', name: 'job/x', held: true, detail: 'ok' }),
    { who: 'check', about: 'job/x', what: 'held', why: 'ok', tone: 'held' },
  ],
  [
    'a check that did not hold',
    other(0, { type: 'check', name: 'job/x', held: false, detail: 'two' }),
    { who: 'check', about: 'job/x', what: 'BROKEN', why: 'two', tone: 'broken' },
  ],
  ['a note', other(0, { type: 'note', text: '\n  It waits.\nThen it goes.' }), { who: 'note', what: 'It waits.', tone: 'note' }],
];

it.each(ROWS as (readonly [string, Made, object, object | undefined])[])('%s', (_, made, parts, author) => {
  const trace = traceOf([made]);
  expect(lineParts(trace, 1)).toEqual({ time: '0.000s', step: '#1', about: '', revision: '', why: '', ...parts });
  const [entry] = trace.entries;
  expect(toneOf(entry as Entry)).toBe((parts as { tone: string }).tone);
  if (author !== undefined) expect(authorOf(entry as Entry)).toEqual(author);
});

it('the scenario, faults, checks and notes have no author', () => {
  const made = ['operation', 'fault', 'check', 'note'].map((type) => other(0, { type, text: '', given: { text: '' } })(1));
  expect(made.map(authorOf)).toEqual([undefined, undefined, undefined, undefined]);
});

describe('a line in columns', () => {
  const of = [
    decided(61_001, MANAGER, 'job', 'default/pi', { why: 'one is missing', writes: 1 }),
    wrote(61_002, pod, { actor: MANAGER, controller: 'job', about: 'default/pi', causes: [7, 1] }),
    fault(62_000, 'lag', 'scheduler', {}, 'by: 3s'),
    other(63_000, { type: 'note', text: 'Done.' }),
    wrote(64_000, pod, { causes: [2] }),
  ];

  it('has the reason of the decision, the revision and the parameters of a fault, if any', () => {
    const trace = traceOf(of);
    expect([1, 2, 3, 4, 5].map((step) => formatLine(trace, step))).toEqual([
      '1m01.001s  #1     job                pi               decides on 1 write   one is missing',
      '1m01.002s  #2     job                pi               create Pod a  rv 7   one is missing',
      '1m02.000s  #3     fault              lag              lag happens (by: 3s)',
      '1m03.000s  #4     note                                Done.',
      '1m04.000s  #5     user               a                create Pod  rv 7',
    ]);
  });

  it('is empty for a step that is not there', () => {
    expect([0, 6].map((step) => formatLine(traceOf(of), step))).toEqual(['', '']);
  });
});

describe('at first sight', () => {
  it('deliveries, timers, heartbeats and the ends of controllers are left out', () => {
    const isRelevant = createRelevance();
    const lease = (renewTime: string) => objectOf('Lease', 'l', 1, { spec: { renewTime } });
    const beat = wrote(0, lease('2024-03-01T00:00:10Z'), { previous: lease('2024-03-01T00:00:00Z') });
    const shown = [
      beat,
      wrote(0, pod),
      delivered(0, 'scheduler', pod),
      other(0, { type: 'timer' }),
      ...['retires', 'lists', 'crashed', 'stopped', 'started', 'leads', 'follows'].map((what) => became(0, 'scheduler', what)),
      fault(0, 'lag', 'x'),
      other(0, { type: 'note', text: '' }),
    ].map((each) => isRelevant(each(1)));
    expect(shown).toEqual([false, true, false, false, false, false, true, true, true, true, true, true, true]);
  });

  it('a decision to wait is shown with a new reason, of a controller that takes part', () => {
    const isRelevant = createRelevance();
    const decide = (why: string, more: object = {}, key = 'a') => isRelevant(decided(0, MANAGER, 'job', key, { why, ...more })(1));
    // One that never writes and never waits takes no part.
    expect([decide('nothing'), decide('nothing'), decide('other')]).toEqual([false, false, false]);
    expect([decide('until noon', { wakeAt: START }), decide('until noon', { wakeAt: START }), decide('done')]).toEqual([true, false, true]);
    expect([decide('done'), decide('writes', { writes: 2 }), decide('writes'), decide('waits')]).toEqual([false, false, false, true]);
    // Another object has reasons of its own, also after a decision that writes.
    expect([decide('writes', { writes: 1 }, 'b'), decide('waits', {}, 'b'), decide('waits', {}, 'b')]).toEqual([false, true, false]);
  });
});
