/** A controller of somebody's own that does what none may: a finding of the run with a place, and nothing else is harmed. */
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { idle, watchOnly, remove, update, wakeAt, watch, write, type Controller } from '../../../src/controlplane/runtime/index.ts';
import { defineController } from '../../../src/lab/sandbox/index.ts';
import { explore } from '../../../src/lab/explore/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { readScenarios } from '../../../src/lab/vocabulary.ts';

const TEXT = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: bench }
spec:
  cluster: { podBehaviors: [{ runFor: 1s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: a, labels: { k: v } }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`;
const read = readScenarios(TEXT);
if ('problems' in read) throw new Error(JSON.stringify(read.problems));
const [scenario] = read.scenarios;
if (scenario === undefined) throw new Error('no scenario');
const timed = scenario;

const mine = (
  reconcile: (input: {
    readonly self: { readonly metadata: object };
    readonly now: number;
    readonly cache: { list(kind: string): readonly object[] };
  }) => unknown,
  more: Partial<Controller> = {},
) =>
  // What a type-checker would refuse is what has to be caught.
  defineController({ name: 'mine', reconciles: 'Job', writes: ['Job'], reconcile, ...more } as Controller);
const run = (controller: Controller): Run => simulate(scenario, { with: { controllers: [controller] } });
const failuresOf = (controller: Controller) =>
  run(controller).failures.map(({ kind, controller: name, message, detail, about, source }) => ({
    kind,
    name,
    message,
    detail,
    about,
    file: source?.file.split('/').at(-1),
  }));

/** Made where promises may be made. */
const PROMISED = Promise.resolve(idle('x'));

const finding = (message: unknown) => [
  {
    kind: 'controller',
    name: 'mine',
    message,
    detail: ['  about Job default/a'],
    about: { kind: 'Job', namespace: 'default', name: 'a' },
    file: 'bench.test.ts',
  },
];

describe('a controller that', () => {
  it('throws is a finding with its line, and the others go on', () => {
    const { verdict, failures, cluster } = run(
      mine(() => {
        throw new RangeError('no such thing');
      }),
    );
    expect(verdict).toBe('broken');
    expect(failures).toMatchObject([
      {
        kind: 'controller',
        controller: 'mine',
        message: 'it threw in reconcile: RangeError: no such thing',
        source: { file: expect.stringContaining('bench.test.ts'), line: expect.any(Number) as number },
      },
    ]);
    expect(cluster.store.get('Job', 'default/a')).toMatchObject({ status: { succeeded: 1 } });
  });

  it.each([
    ['nothing', () => undefined, 'its reconcile answered nothing: expected { why, writes }'],
    ['garbage', () => 7, 'its reconcile answered 7'],
    ['a promise', () => PROMISED, 'its reconcile answered later'],
    [
      'a wake-up in the past',
      ({ now }: { readonly now: number }) => wakeAt(now - 747, 'x'),
      'its reconcile answered a wakeAt that is 747 ms in the past',
    ],
    [
      'a wake-up now',
      ({ now }: { readonly now: number }) => wakeAt(now, 'x'),
      'its reconcile answered a wakeAt that is now: expected an instant later',
    ],
    [
      'an undeclared write',
      () => write('x', remove({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default', uid: 'u' } } as never)),
      `its reconcile write 1 of "x" deletes Pod, which it does not declare: add 'Pod' to its writes`,
    ],
    ['no why', () => ({ why: ' ', writes: [] }), 'its reconcile gave no why'],
    ['no writes', () => ({ why: 'x' }), 'its reconcile answered writes that are nothing'],
    ['no write', () => ({ why: 'x', writes: [1] }), 'its reconcile write 1 of "x" is 1'],
    ['an unknown write', () => ({ why: 'x', writes: [{ op: 'creat' }] }), 'its reconcile write 1 of "x" has op "creat"'],
    [
      'an unknown kind',
      () => ({ why: 'x', writes: [{ op: 'create', object: { apiVersion: 'v1', kind: 'Pd', metadata: { name: 'p' } } }] }),
      'its reconcile write 1 of "x" is of a kind that does not exist: "Pd"; did you mean "Pod"?',
    ],
  ])('answers %s is a finding', (_, reconcile, message) => {
    expect(failuresOf(mine(reconcile))).toEqual(finding(expect.stringContaining(message)));
  });

  it('changes what its cache holds is told how to change it, and changes nothing', () => {
    const careless = mine(({ self }) => {
      (self.metadata as { labels: Record<string, string> }).labels['k'] = 'changed';
      return idle('x');
    });
    const { failures, cluster } = run(careless);
    expect(failures).toMatchObject([
      {
        message: expect.stringContaining('TypeError'),
        detail: ['  about Job default/a', expect.stringContaining('update(object, (draft) =>')],
      },
    ]);
    expect(cluster.store.get('Job', 'default/a')?.metadata.labels).toEqual({ k: 'v' });
    expect(JSON.stringify(scenario)).toContain('"labels":{"k":"v"}');
  });

  it('loops at one instant is a finding with the line of its definition', () => {
    const { verdict, failures } = simulate(
      { ...timed, untilMs: 5000 },
      { with: { controllers: [mine(() => ({ why: 'once more', writes: [], enqueue: ['default/a'] }))] } },
    );
    expect(verdict).toBe('unsettled');
    expect(failures).toMatchObject([
      {
        kind: 'limit',
        message: expect.stringContaining('mine reconciled default/a'),
        source: { file: expect.stringContaining('bench.test.ts') },
      },
    ]);
  });

  it('throws while the cluster warms up, or when it hears of a change, is one finding', () => {
    const early = defineController({
      name: 'early',
      reconciles: 'Node',
      writes: [],
      reconcile: () => {
        throw new Error('early');
      },
    });
    expect(run(early).failures).toMatchObject([{ controller: 'early', sinceStartMs: 0 }]);
    const deaf = mine(() => idle('x'), {
      watches: [watch('Pod')],
      observe() {
        throw new Error('deaf');
      },
    });
    expect(run(deaf).failures).toMatchObject([{ message: expect.stringContaining('it threw in observe of') }]);
  });

  it('is found and shrunk by a search', () => {
    const grumpy = mine(({ self }) => {
      if ('labels' in self.metadata) throw new Error('labels!');
      return idle('no labels');
    });
    const { finding: found } = explore(
      fc.nat(3).map((more) => ({
        ...scenario,
        steps: [...scenario.steps, ...Array.from({ length: more }, () => ({ timing: { when: 'next' }, verb: 'note', note: 'x' }) as const)],
      })),
      {
        seed: 1,
        runs: 5,
        simulate: { with: { controllers: [grumpy] } },
      },
    );
    expect(found?.reasons).toEqual([expect.stringContaining('it threw in reconcile: Error: labels!')]);
    expect(found?.scenario.steps.length).toBe(1);
  });
});

describe('a decision that uses the host', () => {
  it.each([
    ['Date.now()', () => Date.now(), 'input.now'],
    ['new Date()', () => new Date().getTime(), 'input.now'],
    ['performance.now()', () => performance.now(), 'input.now'],
    ['Math.random()', () => Math.random(), 'input.random'],
    ['crypto.randomUUID()', () => crypto.randomUUID(), 'input.random'],
    ['setTimeout()', () => setTimeout(() => undefined, 1), 'wakeAt'],
    ['queueMicrotask()', () => queueMicrotask(() => undefined), 'wakeAt'],
    ['process.nextTick()', () => process.nextTick(() => undefined), 'wakeAt'],
    ['process.hrtime.bigint()', () => process.hrtime.bigint(), 'input.now'],
    ['process.memoryUsage.rss()', () => process.memoryUsage.rss(), 'input.now'],
    ['Intl.DateTimeFormat', () => new Intl.DateTimeFormat().format(0), 'the same everywhere'],
    ['String.prototype.localeCompare()', () => 'a'.localeCompare('b'), 'the same everywhere'],
    ['Number.prototype.toLocaleString()', () => (1234.5).toLocaleString(), 'the same everywhere'],
    ['getHours() of a Date', () => new Date(0).getHours(), 'the same everywhere'],
    ['toString() of a Date', () => String(new Date(0)), 'the same everywhere'],
    ['new Date(year, month)', () => new Date(2020, 1), 'the same everywhere'],
    ["new Date('2020-01-01T00:00')", () => new Date('2020-01-01T00:00'), 'the same everywhere'],
    ["Date.parse('1 Jan 2020')", () => Date.parse('1 Jan 2020'), 'the same everywhere'],
    ['AbortSignal.timeout()', () => AbortSignal.timeout(1), 'wakeAt'],
    ['new Promise()', () => new Promise(() => undefined), 'resume'],
    ['Promise.all()', () => Promise.all([]), 'resume'],
  ])('is a finding with its line: %s', (what, use, remedy) => {
    const found = failuresOf(
      mine(() => {
        use();
        return idle('x');
      }),
    );
    expect(found).toEqual([
      { ...finding(`it used ${what} in reconcile`)[0], detail: ['  about Job default/a', expect.stringContaining(remedy) as string] },
    ]);
  });

  it('is one also where it catches what it is told', () => {
    const found = failuresOf(
      mine(() => {
        try {
          Date.now();
        } catch {
          // It goes on as if nothing had been.
        }
        return idle('x');
      }),
    );
    expect(found).toMatchObject([{ message: 'it used Date.now() in reconcile' }]);
  });

  it('is one in every hook, and in what maps changes to keys', () => {
    const observing = mine(() => idle('x'), { watches: [watch('Pod', watchOnly)], observe: () => void Math.random() });
    expect(failuresOf(observing)).toMatchObject([{ message: 'it used Math.random() in observe of Job' }]);
    const mapping = mine(() => idle('x'), { watches: [watch('Pod', () => String(Date.now()))] });
    expect(failuresOf(mapping)).toMatchObject([{ message: 'it used Date.now() in enqueue of Pod' }]);
  });

  it('may make dates of its input, and the host is as before afterwards', () => {
    const { now, random } = { now: Date.now, random: Math.random };
    const then = Promise;
    let kept: Date | undefined;
    const dated = mine(({ now: at }) => {
      kept = new Date(at);
      const same = ['2020-01-01', '2020-01-01T00:00:00Z', '2020-01-01T01:00+01:00'].map(
        (text) => `${new Date(text).toJSON()} ${Date.parse(text)}`,
      );
      return idle(`${kept.toISOString()} ${kept.getUTCHours()} ${new Date(0) instanceof Date} ${Date.UTC(2020, 1)} ${same.join()}`);
    });
    expect(failuresOf(dated)).toEqual([]);
    expect(kept).toBeInstanceOf(Date);
    expect(kept?.getFullYear()).toBeGreaterThan(2000);
    expect('a'.localeCompare('b')).toBe(-1);
    expect([Date.now, Math.random, Promise]).toEqual([now, random, then]);
    expect(Date.now()).toBeGreaterThan(0);
  });
});

describe('a read of a kind that the controller does not watch', () => {
  const reads = (watches: Partial<Controller>) => mine(({ cache }) => idle(`${cache.list('Pod').length} pods`), watches);

  it('is a finding that says what to add, though another controller of the process watches it', () => {
    expect(failuresOf(reads({}))).toMatchObject([
      { message: "it threw in reconcile: UndeclaredRead: mine reads Pod and does not watch it: add watch('Pod') to its watches" },
    ]);
  });

  it('is none when it is watched', () => {
    expect(failuresOf(reads({ watches: [watch('Pod', watchOnly)] }))).toEqual([]);
  });
});

describe('update', () => {
  it('drafts the status to its sub-resource, and the rest to the object', () => {
    const marker = defineController({
      name: 'marker',
      reconciles: 'Job',
      writes: ['Job'],
      reconcile({ self: job }) {
        if (job.metadata.labels?.['seen'] === undefined)
          return write(
            'it is seen',
            update(job, (draft) => {
              draft.metadata.labels = { ...draft.metadata.labels, seen: 'yes' };
            }),
          );
        return idle('it is seen already');
      },
    });
    const { failures, cluster } = run(marker);
    expect(failures).toEqual([]);
    const job = cluster.store.get('Job', 'default/a');
    expect(job?.metadata.labels).toEqual({ k: 'v', seen: 'yes' });
    if (job === undefined) throw new Error('no Job');
    expect(
      update(job as never, (draft: { status: { active: number } }) => {
        draft.status.active = 1;
      }),
    ).toMatchObject({ op: 'update', subresource: 'status' });
    expect(() =>
      update(job, (draft) => {
        draft['status'] = {};
        draft.metadata.labels = {};
      }),
    ).toThrow('make two updates');
  });
});
