/** Checks of a user's definitions: every problem at once, each with its path. */
import { describe, expect, it } from 'vitest';
import { customKind } from '../../../src/apiserver/custom/index.ts';
import type { CustomKind } from '../../../src/apiserver/kinds/index.ts';
import { checkedDefinitions, problemsOf } from '../../../src/lab/definitions/index.ts';

const lines = (value: unknown, beside?: readonly CustomKind[]): readonly string[] =>
  problemsOf(value, beside).map(({ path, message }) => `${path}: ${message}`);
const nothing = (): undefined => undefined;

const controller = (parts: object = {}): object => ({ name: 'tidier', writes: [], reconcile: nothing, ...parts });
const invariant = (parts: object = {}): object => ({
  name: 'test/one',
  temporal: 'always',
  description: 'It holds.',
  kinds: ['Pod'],
  check: nothing,
  ...parts,
});
const field = { type: 'string', description: 'A process.' };
const fault = (parts: object = {}): object => ({
  name: 'hiccup',
  description: 'It does something.',
  subject: field,
  parameters: {},
  apply: nothing,
  ...parts,
});
const kind = (parts: object = {}): object => ({
  kind: 'Widget',
  plural: 'widgets',
  version: 'v1',
  groupPrefix: 'example.com',
  namespaced: true,
  schema: { type: 'object' },
  columns: [],
  validate: nothing,
  validateUpdate: nothing,
  ...parts,
});
/** The definition of a custom resource, as a manifest makes it. */
function widget(): CustomKind {
  const made = customKind({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { kind: 'Widget', plural: 'widgets' },
      versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
    },
  });
  if ('problems' in made) throw new Error(JSON.stringify(made.problems));
  return made.kind;
}

describe('definitions', () => {
  it.each([
    [undefined, 'nothing'],
    [null, 'nothing'],
    [[], 'a list'],
    ['x', '"x"'],
    [7, '7'],
    [Symbol.for('x'), 'Symbol(x)'],
    [() => undefined, 'a function'],
  ])('are an object, not %s', (value, found) => {
    expect(lines(value)).toEqual([`: expected { controllers, invariants, faults, kinds }, found ${found}`]);
  });

  it('have these members, which are lists', () => {
    expect(lines({ controllers: undefined, faults: [], locate: nothing })).toEqual([]);
    expect(lines({ controler: [], other: 1, kinds: {}, without: 'x' })).toEqual([
      'controler: expected one of controllers, faults, invariants, kinds, without; did you mean "controllers"?',
      'other: expected one of controllers, faults, invariants, kinds, without',
      'kinds: expected a list, found an object',
      'without: expected a list, found "x"',
    ]);
  });

  it('that are correct are returned, and others are an error with all problems', () => {
    const good = { controllers: [controller()] } as never;
    expect(checkedDefinitions(good)).toBe(good);
    expect(() => checkedDefinitions({ faults: [fault({ description: '' })], without: ['x'] } as never)).toThrow(
      'without[0]: no built-in controller is named "x"\nfaults[0] (hiccup): description: expected one sentence for people, found ""',
    );
    expect(() => checkedDefinitions([] as never)).toThrow(/^expected \{ controllers/);
  });

  it('each have a name of their own', () => {
    expect(
      lines({
        controllers: [null, [], 'x', {}, { name: '' }, controller(), controller(), controller({ name: 'job' })],
        invariants: [invariant({ name: 'job/never-stuck' }), invariant(), invariant()],
        faults: [fault({ name: 'crash' })],
      }),
    ).toEqual([
      'controllers[0]: expected an object with a name, found nothing',
      'controllers[1]: expected an object with a name, found a list',
      'controllers[2]: expected an object with a name, found "x"',
      'controllers[3]: expected a name, found nothing',
      'controllers[4]: expected a name, found ""',
      'controllers[6] (tidier): the name is taken by controllers[5]: choose another name, or name it in `without` to put yours in its place',
      'controllers[7] (job): the name is taken by a built-in one: choose another name, or name it in `without` to put yours in its place',
      'invariants[0] (job/never-stuck): the name is taken by a built-in one: choose another name',
      'invariants[2] (test/one): the name is taken by invariants[1]: choose another name',
      'faults[0] (crash): the name is taken by a built-in one: choose another name',
    ]);
  });

  it('may leave out built-in controllers, and take their names', () => {
    expect(lines({ without: ['job'], controllers: [controller({ name: 'job' })] })).toEqual([]);
    expect(lines({ without: ['jobb', 7] })).toEqual([
      'without[0]: no built-in controller is named "jobb"; did you mean "job"?',
      'without[1]: no built-in controller is named 7',
    ]);
  });
});

describe('a controller', () => {
  it('needs its kinds to exist, and its hooks to be functions', () => {
    const hooks = ['start', 'observe', 'act', 'startKeys', 'stop', 'reconcileAbsent', 'resume', 'recover'];
    const wrong = {
      reconciles: 'Podd',
      writes: ['Pod', 'Jobb', 3],
      watches: [{ kind: 'Pod' }, { kind: 'Nod' }, 'Pod', null, {}],
      reconcile: 1,
    };
    expect(lines({ controllers: [controller({ ...wrong, ...Object.fromEntries(hooks.map((hook) => [hook, {}])) })] })).toEqual(
      [
        'reconciles: there is no kind "Podd"; did you mean "Pod"?',
        'writes: there is no kind "Jobb"; did you mean "Job"?',
        'writes: there is no kind 3',
        'watches[1]: there is no kind "Nod"; did you mean "Node"?',
        `watches[2]: expected watch('Pod'), found "Pod"`,
        `watches[3]: expected watch('Pod'), found nothing`,
        `watches[4]: expected watch('Pod'), found an object`,
        'reconcile: expected a function that returns { why, writes }, found 1',
        ...hooks.map((hook) => `${hook}: expected a function, found an object`),
      ].map((message) => `controllers[0] (tidier): ${message}`),
    );
    expect(
      lines({
        controllers: [
          { name: 'a', watches: {} },
          { name: 'b', writes: 'Pod', reconcile: nothing },
        ],
      }),
    ).toEqual([
      'controllers[0] (a): writes: expected the kinds that it may write, found nothing',
      `controllers[0] (a): watches: expected a list such as [watch('Pod')], found an object`,
      'controllers[0] (a): reconcile: expected a function that returns { why, writes }, found nothing',
      'controllers[1] (b): writes: expected a list of kinds, found "Pod"',
    ]);
  });

  it('may be a function of the kinds, with all hooks', () => {
    const all = controller({
      reconciles: 'Pod',
      writes: ['Pod'],
      watches: [{ kind: 'Job' }],
      start: nothing,
      observe: nothing,
      recover: nothing,
    });
    expect(lines({ controllers: [() => all, () => controller({ name: '' })] })).toEqual(['controllers[1]: expected a name, found ""']);
  });

  it('may be about kinds that are defined beside it', () => {
    const of = { controllers: [controller({ reconciles: 'Widget', writes: ['Widget'] })] };
    expect(lines(of)).toEqual([
      'controllers[0] (tidier): reconciles: there is no kind "Widget"',
      'controllers[0] (tidier): writes: there is no kind "Widget"',
    ]);
    expect(lines(of, [widget()])).toEqual([]);
    expect(lines(of)).toHaveLength(2);
    expect(lines({ ...of, kinds: [widget()] })).toEqual([]);
  });
});

it('an invariant says what it is, and of which kinds', () => {
  for (const temporal of ['always', 'eventually', 'stable', 'sometimes'])
    expect(lines({ invariants: [invariant({ temporal, kinds: ['*', 'Pod'] })] })).toEqual([]);
  expect(
    lines({ invariants: [{ name: 'a' }, invariant({ name: 'b', temporal: 'never', description: ' ', kinds: ['Pood'], check: {} })] }),
  ).toEqual([
    'invariants[0] (a): temporal: expected always, eventually, stable or sometimes, found nothing',
    'invariants[0] (a): description: expected one sentence for people, found nothing',
    'invariants[0] (a): kinds: expected the kinds whose changes it checks, found nothing',
    'invariants[0] (a): check: expected a function that returns a checker, found nothing',
    'invariants[1] (b): temporal: expected always, eventually, stable or sometimes, found "never"',
    'invariants[1] (b): description: expected one sentence for people, found " "',
    'invariants[1] (b): kinds: there is no kind "Pood"; did you mean "Pod"?',
    'invariants[1] (b): check: expected a function that returns a checker, found an object',
  ]);
});

it('a fault has fields for its subject and its parameters', () => {
  const subject = "subject: expected a field, such as { type: 'string', description: 'A process.' }, found an object";
  const parameter = "expected a field, such as { type: 'duration', description: 'For how long.' }, found";
  expect(lines({ faults: [fault({ parameters: { for: { type: 'duration', description: 'How long.' } } })] })).toEqual([]);
  expect(
    lines({
      faults: [
        fault({ name: 'a', subject: { type: 'string' }, parameters: undefined, apply: 1 }),
        fault({ name: 'b', subject: { type: '', description: 'x' }, parameters: [] }),
        fault({
          name: 'c',
          subject: { type: 'string', description: '' },
          parameters: { one: null, two: 3, three: field, four: { description: 'x' } },
        }),
        fault({ name: 'd', subject: null }),
      ],
    }),
  ).toEqual([
    `faults[0] (a): ${subject}`,
    'faults[0] (a): parameters: expected fields by name, {} for none, found nothing',
    'faults[0] (a): apply: expected a function that returns { detail } or { error }, found 1',
    `faults[1] (b): ${subject}`,
    'faults[1] (b): parameters: expected fields by name, {} for none, found a list',
    `faults[2] (c): ${subject}`,
    `faults[2] (c): parameters.one: ${parameter} nothing`,
    `faults[2] (c): parameters.two: ${parameter} 3`,
    `faults[2] (c): parameters.four: ${parameter} an object`,
    `faults[3] (d): ${subject.replace('an object', 'nothing')}`,
  ]);
});

describe('a kind', () => {
  it('needs all of its members', () => {
    const messages = [
      'plural: expected lower-case letters, such as widgets, found',
      'version: expected a version such as v1 or v1beta1, found',
      'groupPrefix: expected the group, found',
      'namespaced: expected true or false, found',
      "schema: expected a shape: obj('Widget', { ...typeMeta, spec: … }), found",
      'columns: expected a list of columns, found',
      'validate: expected a function (defineKind and customResource give one), found',
      'validateUpdate: expected a function (defineKind and customResource give one), found',
    ];
    expect(lines({ kinds: [{ kind: 'A' }] })).toEqual(messages.map((message) => `kinds[0] (A): ${message} nothing`));
    expect(
      lines({ kinds: [null, {}, kind({ kind: 'Pod' }), kind({ schema: {} }), kind({ kind: 'B', schema: { type: 'string' } })] }),
    ).toEqual([
      'kinds[0]: expected a kind, found nothing',
      'kinds[1]: expected a kind, found nothing',
      'kinds[2] (Pod): the name is taken by a built-in one: choose another name',
      `kinds[3] (Widget): ${messages[4] ?? ''} an object`,
      `kinds[4] (B): ${messages[4] ?? ''} an object`,
    ]);
  });

  it.each([
    ['plural', ['a', 'a-b', 'a1', 'widgets'], ['A', '1a', 'a-', '-a', 'a.b', '', 'xA', 7]],
    ['version', ['v1', 'v12', 'v1beta1', 'v2alpha10'], ['v0', '1', 'v1beta', 'v1gamma1', 'v01', 'xv1', 'v1x', 'v1beta0', 7]],
  ])('has a %s of the usual form', (member, good, bad) => {
    // The name is taken, so that no correct definition is registered.
    const count = (value: unknown): number => lines({ kinds: [kind({ kind: 'Pod', [member]: value })] }).length;
    expect([good.map(count), bad.map(count)]).toEqual([good.map(() => 1), bad.map(() => 2)]);
  });

  it('may be a function of names', () => {
    expect(lines({ kinds: [() => kind({ plural: 'W' })] })).toEqual([
      'kinds[0] (Widget): plural: expected lower-case letters, such as widgets, found "W"',
    ]);
  });
});
