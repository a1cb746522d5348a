/** The page's model of a run, tested in Node without a browser. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createTimeline } from '../../../src/surfaces/report/index.ts';
import { cursorAt, viewAt, windowOf } from '../../../src/lab/trace/index.ts';
import { stepAtPlace } from '../../../src/surfaces/page/model/axis.ts';
import { cellsOf, gridOf } from '../../../src/surfaces/page/model/pod-grid.ts';
import { growing, modelOf, type Model } from '../../../src/surfaces/page/model/index.ts';
import { layoutOf } from '../../../src/surfaces/page/model/layout.ts';
import { swimlanesOf } from '../../../src/surfaces/page/model/swimlanes.ts';
import { processStatusAt } from '../../../src/surfaces/page/model/lifespans.ts';
import { matchesIn, queryOf } from '../../../src/surfaces/page/model/search.ts';
import { stagedAt } from '../../../src/surfaces/page/model/staged.ts';
import { toneOf } from '../../../src/lab/trace/index.ts';
import { TONES } from '../../../src/surfaces/page/model/log.ts';
import { FIRST_PART, PART } from '../../../src/surfaces/page/worker/ahead.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';
import { entryUnpacker } from '../../../src/surfaces/page/packing.ts';
import type { PackedRun, Part, RunData } from '../../../src/surfaces/page/protocol.ts';
import type { Pod } from '../../../src/apiserver/kinds/index.ts';
import { podGridOf } from './many-pods.ts';

const root = join(import.meta.dirname, '../../..');

function opened(name: string): { readonly model: Model; readonly bench: ReturnType<typeof createBench> } {
  const file = `scenarios/${name}.yaml`;
  const bench = createBench();
  const answer = bench.answer({ ask: 'run', scenario: { file, text: readFileSync(join(root, file), 'utf8') } });
  if (answer.is !== 'run') throw new Error(JSON.stringify(answer));
  return { model: modelOf(answer.run), bench };
}

const crash = opened('job/15-crash-between-writes');
const cutOff = opened('lease/05-leader-cut-off');
const rolling = opened('stateful-set/03-rolling-update');
const deadNode = opened('volume-attachment/03-volume-on-a-dead-node');

const stepsOf = ({ length }: Model): readonly number[] => Array.from({ length: 40 }, (_, at) => Math.round((at * length) / 39));
const stageOf = (model: Model, step: number): unknown => {
  const staged = stagedAt(model, step, undefined, undefined);
  return { staged, layout: layoutOf(model, staged, 800) };
};

describe.each([
  ['a crash', crash.model],
  ['a leader cut off', cutOff.model],
  ['a rolling update', rolling.model],
])('the stage of %s', (_, model) => {
  it('is the same forwards, backwards and at random', () => {
    const steps = stepsOf(model);
    const forwards = steps.map((step) => stageOf(model, step));
    const backwards = steps.toReversed().map((step) => stageOf(model, step));
    expect(backwards.toReversed()).toEqual(forwards);
    const mixed = steps.map((_, at) => (at * 17) % steps.length);
    for (const at of mixed) expect(stageOf(model, steps[at] ?? 0)).toEqual(forwards[at]);
  });

  it('has the objects of the trace at each step', () => {
    for (const step of stepsOf(model)) {
      model.world.moveTo(step);
      const world = cursorAt(model.trace, step);
      expect(model.world.kinds().toSorted()).toEqual(world.kinds().toSorted());
      for (const kind of world.kinds())
        expect(new Set(model.world.list(kind).map((held) => model.world.current(held)))).toEqual(new Set(world.list(kind)));
    }
  });

  it('has the same log as the timeline of run -v', () => {
    const timeline = createTimeline(model.trace.startAt, 1);
    const lines = model.trace.entries.flatMap((entry, index) => {
      const parts = timeline.next(entry, index + 1);
      return parts === undefined || entry.type === 'note' ? [] : [{ step: index + 1, tone: parts.tone }];
    });
    const { steps, tones } = model.reported;
    expect([...steps].map((step, at) => ({ step, tone: TONES[tones[at] ?? 0] }))).toEqual(lines);
    for (const { step, tone } of lines) {
      const entry = model.trace.entries[step - 1];
      expect(entry === undefined ? undefined : toneOf(entry)).toBe(tone);
    }
  });

  it('fits into its width, without overlaps', () => {
    for (const width of [560, 800, 1400])
      for (const step of stepsOf(model)) {
        const { deciders, cards, nodes, pods } = layoutOf(model, stagedAt(model, step, undefined, undefined), width);
        for (const boxes of [deciders, cards, nodes, pods]) {
          const all = [...boxes.values()];
          for (const [at, a] of all.entries()) {
            expect(a.x + a.w).toBeLessThanOrEqual(width);
            for (const b of all.slice(at + 1))
              expect(a.x + a.w <= b.x + 0.01 || b.x + b.w <= a.x + 0.01 || a.y + a.h <= b.y + 0.01 || b.y + b.h <= a.y + 0.01).toBe(true);
          }
        }
      }
  });
});

describe('the axis', () => {
  it('is monotonic, and finds the step of each position', () => {
    for (const { model } of [crash, cutOff, rolling])
      for (const places of [model.axis.folded, model.axis.true]) {
        expect([...places]).toEqual([...places].toSorted((a, b) => a - b));
        for (const step of stepsOf(model)) {
          const found = stepAtPlace(places, places[step] ?? 0);
          // Entries of one instant share a position in true time.
          expect(places[found]).toBe(places[step]);
        }
      }
  });

  it('folds quiet time', () => {
    const { model } = deadNode;
    const gap = (places: Float32Array): number => {
      let most = 0;
      for (let step = 1; step < places.length; step++) most = Math.max(most, (places[step] ?? 0) - (places[step - 1] ?? 0));
      return most;
    };
    expect(gap(model.axis.folded)).toBeLessThan(gap(model.axis.true) / 2);
  });
});

describe('the cache lens', () => {
  it('agrees with the views of the trace, and lists stale objects', () => {
    const { model } = cutOff;
    const step = model.trace.entries.findLastIndex(({ at }) => at - model.trace.startAt <= 19_000) + 1;
    model.world.moveTo(step);
    const late = model.cacheLens.behind('controller-manager', false) ?? [];
    expect(late.map(({ how, kind }) => [how, kind])).toEqual([['stale', 'Pod']]);
    expect(late[0]?.saw).toBe(viewAt(model.trace, 'controller-manager', step).byKey('Pod', late[0]?.key ?? ''));
    expect(model.cacheLens.behind('scheduler', false)).toEqual([]);
  });

  it('recognises a process that is down', () => {
    const { model } = crash;
    const step = model.trace.entries.findLastIndex(({ at }) => at - model.trace.startAt <= 3_000) + 1;
    expect(processStatusAt(model.lifespans, 'controller-manager', step)).toBe('crashed');
    expect(processStatusAt(model.lifespans, 'controller-manager', model.length)).toBe('up');
    expect(model.faults.map(({ label }) => label)).toContain('controller-manager crashed');
  });
});

describe('the search', () => {
  const { model } = rolling;
  const found = (text: string): readonly string[] => {
    const query = queryOf(text);
    const search = query === undefined ? undefined : matchesIn(model.trace, model.reported, query);
    let next = search?.next();
    while (next?.done === false) next = search?.next();
    return (next?.value ?? []).map((step) => {
      const entry = model.trace.entries[step - 1];
      return entry?.type === 'write' ? `${entry.controller ?? entry.actor} ${entry.change.kind}` : (entry?.type ?? '');
    });
  };
  it('takes kinds, authors, reasons and words together', () => {
    expect(queryOf('   ')).toBeUndefined();
    expect(new Set(found('kind:Pod by:scheduler'))).toEqual(new Set(['scheduler Pod']));
    expect(found('kind:pod by:stateful-set why:missing web-2').length).toBeGreaterThan(0);
    expect(found('kind:Pod kind:Job')).toEqual([]);
    expect(found('why:"no such reason at all"')).toEqual([]);
  });
});

describe('the bench', () => {
  it('refuses what is malformed, with its place, and keeps the last good run', () => {
    const { bench, model } = crash;
    const answer = bench.answer({
      ask: 'run',
      scenario: { file: 'mine.yaml', text: 'apiVersion: scenario.orch.io/v1\nkind: Scenario\nspec: { stepz: [] }\n' },
    });
    expect(answer.is).toBe('problems');
    if (answer.is === 'problems') expect(answer.problems.map(({ message }) => message).join('\n')).toContain('did you mean');
    expect(bench.answer({ ask: 'peek', step: model.length }).is).toBe('peek');
  });

  it('returns introspection at a step: pending events, and what objects wait for', () => {
    const { bench, model } = crash;
    const step = model.trace.entries.findLastIndex(({ at }) => at - model.trace.startAt <= 3_000) + 1;
    const answer = bench.answer({ ask: 'peek', step, about: { kind: 'Job', namespace: 'default', name: 'trio' } });
    if (answer.is !== 'peek') throw new Error(JSON.stringify(answer));
    const { introspection, waits } = answer.peek;
    expect(introspection.processes.find(({ name }) => name === 'controller-manager')?.up).toBe(false);
    expect(introspection.pending.some(({ what }) => what.includes('controller-manager'))).toBe(true);
    expect(waits.join('\n')).toContain('controller-manager');
    // Plain data, which can be posted to a worker.
    expect(structuredClone(answer)).toEqual(answer);
  });
});

describe('pod grids', () => {
  it('have a cell for every pod, alone or shared', () => {
    for (const count of [0, 1, 299, 1_000, 20_000, 100_000]) {
      const { columns, rows, share, size } = gridOf(count, 150, 120);
      expect(columns * rows * share).toBeGreaterThanOrEqual(count);
      expect(columns * size).toBeLessThanOrEqual(150);
      expect(rows * size).toBeLessThanOrEqual(120);
    }
    expect(gridOf(100_000, 150, 120).share).toBeGreaterThan(1);
    expect(gridOf(5_000, 800, 400).share).toBe(1);
  });

  it('show the most frequent phase in a shared cell', () => {
    const { model } = rolling;
    model.world.moveTo(model.length);
    const pods = ['node-0', 'node-1', 'node-2'].flatMap((node) => [...model.world.podsOn(node)]);
    expect(cellsOf(pods, 1).map(({ phase, part }) => [phase, part])).toEqual(pods.map(() => ['Ready', 1]));
    expect(cellsOf(pods, 3)).toHaveLength(1);
  });
});

it('have a swimlane for every active controller, and for every pod', () => {
  const { swimlanes } = swimlanesOf(rolling.model);
  expect(swimlanes.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['story', 'stateful-set', 'scheduler', 'node-0', 'web-0', 'web-2']),
  );
});

describe('a long run that is sent in parts', () => {
  const ahead: Part[] = [];
  const text = podGridOf(400);
  const scenario = { file: 'crowd.yaml', text };
  const answer = structuredClone(createBench().answer({ ask: 'run', scenario }, (part) => ahead.push(structuredClone(part))));
  const whole = createBench().answer({ ask: 'run', scenario });
  if (answer.is !== 'end' || whole.is !== 'run') throw new Error(JSON.stringify([answer, whole]));
  const unpack = entryUnpacker();
  const read = ({ run, trace, prologue, entries }: PackedRun): RunData => ({
    ...run,
    trace: { ...trace, prologue: prologue.map(unpack), entries: entries.map(unpack) },
  });
  const parts = ahead.map(read);
  const rest = read(answer);

  it('is sent in parts, each entry once', () => {
    const full = Math.floor((whole.run.trace.entries.length - FIRST_PART) / PART);
    expect(full).toBeGreaterThan(0);
    expect(parts.map(({ trace }) => trace.entries.length)).toEqual([FIRST_PART, ...Array.from({ length: full }, () => PART)]);
    expect([...parts, rest].flatMap(({ trace }) => [...trace.prologue, ...trace.entries])).toEqual([
      ...whole.run.trace.prologue,
      ...whole.run.trace.entries,
    ]);
    expect(parts.every((run) => run.unfinished === true && run.digest === '')).toBe(true);
    expect(rest.digest).toBe(whole.run.digest);
    // Elided lease renewals: without them leases would look expired.
    expect(parts.map(({ trace }) => trace.renewalIntervals?.length)).toEqual(parts.map(() => whole.run.trace.renewalIntervals?.length));
    expect(whole.run.trace.renewalIntervals?.length).toBeGreaterThan(0);
  });

  it('shares what is equal: the versions of an object, and the pods of a template', () => {
    const all = [...parts, rest].flatMap(({ trace }) => [...trace.prologue, ...trace.entries]);
    const pods = all.flatMap((entry) => (entry.type === 'write' && entry.change.kind === 'Pod' ? [entry.change.object] : []));
    expect(pods.length).toBeGreaterThan(1_200);
    // 400 pods are scheduled once each: a template, and one for each pod with its node.
    expect(new Set(pods.map(({ spec }) => spec)).size).toBeLessThanOrEqual(2 + 400);
    expect(new Set(pods.map((pod) => (pod as unknown as Pod).spec.containers)).size).toBe(1);
  });

  it('can be stopped between two slices, and has the entries so far', () => {
    const bench = createBench();
    const sent: Part[] = [];
    const slices = bench.answering({ ask: 'run', scenario }, (part) => sent.push(part));
    for (let at = 0; at < 12; at++) expect(slices.next().done).toBe(false);
    const { done, value } = slices.next(true);
    if (done !== true || value.is !== 'end') throw new Error('it goes on');
    const made = sent.reduce((sum, { entries }) => sum + entries.length, value.entries.length);
    expect(value.run).toMatchObject({ stopped: true, digest: '', failures: [] });
    expect(made).toBeGreaterThan(FIRST_PART);
    expect(made).toBeLessThan(whole.run.trace.entries.length / 2);
    // The bench goes on with other requests, also about what there is.
    expect(bench.answer({ ask: 'peek', step: FIRST_PART }).is).toBe('peek');
    expect(bench.answer({ ask: 'run', scenario })).toMatchObject({ is: 'run', run: { digest: whole.run.digest } });
  });

  it('has the same model at the end, and before it that of the parts so far', () => {
    const run = growing();
    const [first, ...later] = parts;
    if (first === undefined) throw new Error('nothing went ahead');
    const take = ({ trace: { prologue, entries, ...others }, ...head }: RunData): Model => {
      run.add(entries, prologue);
      return run.model(head, others);
    };
    const steps = [0, 100, FIRST_PART / 2, FIRST_PART];
    const early = take(first);
    expect([early.length, early.reported.steps.at(-1)].every((step) => (step ?? Infinity) <= FIRST_PART)).toBe(true);
    const seen = steps.map((step) => stageOf(early, step));
    for (const part of later) take(part);
    const grown = take(rest);
    const made = modelOf(whole.run);
    for (const name of [
      'length',
      'reported',
      'axis',
      'lifespans',
      'deciders',
      'decisions',
      'faults',
      'broken',
      'writes',
      'narrationSteps',
    ] as const)
      expect(grown[name]).toEqual(made[name]);
    for (const step of [...steps, 6_000, made.length, 3_000, 40]) expect(stageOf(grown, step)).toEqual(stageOf(made, step));
    expect(seen.map((stage) => JSON.stringify((stage as { readonly staged: unknown }).staged))).toEqual(
      steps.map((step) => JSON.stringify(stagedAt(made, step, undefined, undefined))),
    );
  });

  it('is not, if it would give away the answer to a question of its lesson', () => {
    const choices = [
      { say: 'All.', cel: "objects('Pod').size() == 400", because: 'As many as it was asked for.' },
      { say: 'None.', cel: "objects('Pod').size() == 0", because: 'It was asked for some.' },
    ];
    const asking = `${text}    - { ask: ${JSON.stringify({ question: 'How many?', choices })}, at: 1m, note: All. }\n`;
    const sent: Part[] = [];
    const answered = createBench().answer({ ask: 'run', scenario: { file: 'asking.yaml', text: asking } }, (part) => sent.push(part));
    expect(answered.is === 'run' && answered.run.lesson.narrationSteps.some(({ ask }) => ask !== undefined)).toBe(true);
    expect(answered.is === 'run' && answered.run.trace.entries.length > PART).toBe(true);
    expect(sent).toEqual([]);
  });
});

describe('a part of a run that is too long for a page', () => {
  const { run } = cutOff.model;
  const from = Math.floor(run.trace.entries.length / 2);
  const stretch = modelOf({
    ...run,
    trace: windowOf(run.trace, from, run.trace.entries.length),
    window: { from, of: run.trace.entries.length },
  });
  it('starts at its own instant, with the stage of the whole run', () => {
    stretch.world.moveTo(0);
    cutOff.model.world.moveTo(from);
    expect(stretch.world.at).toBe(cutOff.model.world.at);
    expect(stretch.axis.true[1]).toBeLessThan(0.2);
    for (const step of [0, 1, 20, stretch.length]) {
      const staged = (model: Model, at: number): unknown => {
        model.world.moveTo(at);
        return model.world.list('Pod').map(({ key, object }) => [key, object]);
      };
      expect(staged(stretch, step)).toEqual(staged(cutOff.model, from + step));
    }
  });
});
