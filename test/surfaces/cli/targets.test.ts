/** Targets and moments of questions: what is read, and the nearest right name for what is not. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import type { Entry } from '../../../src/lab/trace/index.ts';
import { BadInput } from '../../../src/surfaces/cli/exit.ts';
import type { History } from '../../../src/surfaces/cli/question/history.ts';
import {
  everExisted,
  formatName,
  isInMisspeltNamespace,
  likelyField,
  nameTarget,
  readKind,
  readTarget,
} from '../../../src/surfaces/cli/question/target.ts';
import { formatMoment, momentOf, readMoment } from '../../../src/surfaces/cli/question/world.ts';
import { entry, pod, START, traceOf } from '../report/samples.ts';

const kinds = kindsFor(namesFor('orch.io'));
const write = (id: number, kind: string, key: string, object: object = pod(key)): Entry =>
  entry.write(id, id * 1_000, key, { change: { kind, key, object } });

const PROLOGUE = [write(1, 'Node', 'node-0'), write(2, 'Namespace', 'default'), write(3, 'Namespace', 'shop')];
const ENTRIES = [
  write(4, 'Job', 'default/pi'),
  write(5, 'Pod', 'default/pi-bcdfg', pod('pi-bcdfg', { phase: 'Running', conditions: [{ type: 'Ready' }] })),
  write(6, 'Pod', 'shop/web-0'),
  write(7, 'Event', 'default/event-1'),
  write(8, 'ConfigMap', 'shop/config'),
];
const historyOf = (entries: readonly Entry[]): History => ({ kinds, trace: traceOf(entries, PROLOGUE) }) as unknown as History;
const history = historyOf(ENTRIES);

function saidOf(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof BadInput) return error.message;
    throw error;
  }
  return '';
}

describe('a kind', () => {
  it.each(['Job', 'job', 'JOB', 'jobs', 'jobs.batch'])('is Job by the name %s', (text) => {
    expect(readKind(text, kinds).kind).toBe('Job');
  });

  it('has short names', () => {
    expect(['po', 'deploy', 'STS', 'pvc', 'cm'].map((text) => readKind(text, kinds).kind)).toEqual([
      'Pod',
      'Deployment',
      'StatefulSet',
      'PersistentVolumeClaim',
      'ConfigMap',
    ]);
  });

  it('that does not exist is answered with the nearest, by its kind', () => {
    const said = (text: string, ...besides: readonly string[]): string => saidOf(() => readKind(text, kinds, besides));
    expect(said('Jop')).toBe('there is no kind "Jop"; did you mean Job? (orchsim kinds lists them)');
    expect(said('deploymnts')).toBe('there is no kind "deploymnts"; did you mean Deployment? (orchsim kinds lists them)');
    expect(said('DEPLOYMNT')).toBe('there is no kind "DEPLOYMNT"; did you mean Deployment? (orchsim kinds lists them)');
    expect(said('qqqqqqqq')).toBe('there is no kind "qqqqqqqq" (orchsim kinds lists them)');
    expect(said('scenaro', 'scenario')).toBe('there is no kind "scenaro"; did you mean scenario? (orchsim kinds lists them)');
  });
});

describe('a target', () => {
  it.each([
    ['Job/pi', { kind: 'Job', namespace: 'default', name: 'pi' }],
    ['po/shop/web-0', { kind: 'Pod', namespace: 'shop', name: 'web-0' }],
    ['no/node-9', { kind: 'Node', name: 'node-9' }],
    ['Job', { kind: 'Job', namespace: 'default', name: 'pi' }],
    ['cm', { kind: 'ConfigMap', namespace: 'shop', name: 'config' }],
    ['Node', { kind: 'Node', name: 'node-0' }],
  ])('%s is %j', (text, target) => {
    expect(nameTarget(text, history)).toEqual(target);
  });

  it.each([
    ['Secret', 'there never was a Secret'],
    ['Pod', 'there were 2 of kind Pod: name one of Pod/pi-bcdfg, Pod/shop/web-0'],
    ['Namespace', 'there were 2 of kind Namespace: name one of Namespace/default, Namespace/shop'],
    ['pi', 'expected a target such as Job/pi or Pod/default/web-0, found "pi"; did you mean Job/pi?'],
    ['Jobb', 'expected a target such as Job/pi or Pod/default/web-0, found "Jobb"; did you mean Job?'],
    ['Job/', 'expected a target such as Job/pi or Pod/default/web-0, found "Job/"; did you mean Job?'],
    ['Job/a/', 'expected a target such as Job/pi or Pod/default/web-0, found "Job/a/"; did you mean Job?'],
    ['Job/a/b/c', 'expected a target such as Job/pi or Pod/default/web-0, found "Job/a/b/c"; did you mean Job?'],
    ['qqqqqqqqq', 'expected a target such as Job/pi or Pod/default/web-0, found "qqqqqqqqq"'],
    ['Jop/pi', 'there is no kind "Jop"; did you mean Job? (orchsim kinds lists them)'],
  ])('%s is none: %s', (text, said) => {
    expect(saidOf(() => nameTarget(text, history))).toBe(said);
  });

  it('of many objects names six, and counts the others', () => {
    const pods = (many: number): string =>
      saidOf(() => nameTarget('Pod', historyOf(Array.from({ length: many }, (_, at) => write(at + 4, 'Pod', `default/p-${at}`)))));
    const six = 'Pod/p-0, Pod/p-1, Pod/p-2, Pod/p-3, Pod/p-4, Pod/p-5';
    expect(pods(6)).toBe(`there were 6 of kind Pod: name one of ${six}`);
    expect(pods(7)).toBe(`there were 7 of kind Pod: name one of ${six} and 1 more`);
  });

  it.each([
    // Its name is right, and the kind or the namespace is not.
    ['Pod/pi', 'there never was a Pod default/pi; did you mean Job/pi?'],
    ['Pod/web-0', 'there never was a Pod default/web-0; did you mean Pod/shop/web-0?'],
    // The nearest of its kind, in its namespace or another.
    ['Job/pii', 'there never was a Job default/pii; did you mean Job/pi?'],
    ['ConfigMap/confg', 'there never was a ConfigMap default/confg; did you mean ConfigMap/shop/config?'],
    ['Pod/shpo/web-1', 'there never was a Pod shpo/web-1; did you mean Pod/shop/web-0?'],
    // The nearest of another kind; Events are no objects that are asked about.
    ['Secret/confg', 'there never was a Secret default/confg; did you mean ConfigMap/shop/config?'],
    ['Secret/node-1', 'there never was a Secret default/node-1; did you mean Node/node-0?'],
    ['Secret/event-1', 'there never was a Secret default/event-1'],
  ])('%s never existed: %s', (text, said) => {
    expect(saidOf(() => readTarget(text, history))).toBe(said);
  });

  it('that existed is read; one of the prologue too', () => {
    expect(readTarget('Job/pi', history)).toEqual({ kind: 'Job', namespace: 'default', name: 'pi' });
    expect(readTarget('Node/node-0', history)).toEqual({ kind: 'Node', name: 'node-0' });
    expect([
      everExisted({ kind: 'Job', namespace: 'default', name: 'pi' }, history),
      everExisted({ kind: 'Pod', namespace: 'default', name: 'pi' }, history),
    ]).toEqual([true, false]);
  });

  it('is in a misspelt namespace only if there was one like it', () => {
    const isIn = (namespace?: string): boolean =>
      isInMisspeltNamespace({ kind: 'Pod', name: 'a', ...(namespace === undefined ? {} : { namespace }) }, history);
    expect([isIn('shpo'), isIn('shop'), isIn('qqqqqqqq'), isIn()]).toEqual([true, false, false, false]);
  });

  it('is shown without the default namespace', () => {
    expect(formatName({ kind: 'Job', namespace: 'default', name: 'pi' })).toBe('Job pi');
    expect(formatName({ kind: 'Pod', namespace: 'shop', name: 'a' })).toBe('Pod shop/a');
    expect(formatName({ kind: 'Node', name: 'n' })).toBe('Node n');
  });
});

describe('a field', () => {
  const near = (field: string): string => likelyField({ kind: 'Pod', namespace: 'default', name: 'pi-bcdfg' }, field, history);
  it.each([
    ['status.phase', ''],
    ['phase', '; did you mean "status.phase"?'],
    ['name', '; did you mean "metadata.name"?'],
    ['status.phas', '; did you mean "status.phase"?'],
    ['statsu.phase', '; did you mean "status"?'],
    ['status.nothing', ' (status has conditions, phase)'],
    ['qqqqqqqqqqq', ''],
  ])('%s: %s', (field, said) => {
    expect(near(field)).toBe(said);
  });
});

describe('a moment', () => {
  const { trace } = history;
  it('is a time, a step, the start or the end', () => {
    const read = (text: string) => {
      const { step, at } = readMoment(text, trace, '--at');
      return [step, at - START];
    };
    expect(['start', 'end', '#0', '#2', '#5', '0s', '4s', '5999ms', '1h'].map(read)).toEqual([
      [0, 0],
      [5, 8_000],
      [0, 0],
      [2, 5_000],
      [5, 8_000],
      [0, 0],
      [1, 4_000],
      [2, 5_999],
      [5, 3_600_000],
    ]);
    expect(saidOf(() => readMoment('#6', trace, '--at'))).toBe('--at: expected a step up to #5, found #6');
    for (const wrong of ['noon', '#', '#x', '#1x', 'x#1', ''])
      expect(saidOf(() => readMoment(wrong, trace, 'goto'))).toBe(
        `goto: expected a time such as 5s or 1h30m, a step such as #212, start or end, found ${JSON.stringify(wrong)}`,
      );
  });

  it('is shown with its step', () => {
    expect([0, 1, 5].map((step) => formatMoment(momentOf(trace, step), trace))).toEqual([
      '0.000s (the start)',
      '4.000s (step #1)',
      '8.000s (step #5)',
    ]);
  });
});
