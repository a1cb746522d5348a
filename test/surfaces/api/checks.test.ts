/** What the public functions say of wrong arguments: each check, and each option. */
import { describe, expect, it } from 'vitest';
import { saidOf } from './said.ts';
import {
  anything,
  being,
  callback,
  checked,
  flag,
  having,
  integer,
  listOf,
  optional,
  options,
  refuse,
  text,
} from '../../../src/surfaces/api/check.ts';
import { clusterOptions, readOptions, searchOptions, simulateOptions } from '../../../src/surfaces/api/options.ts';

describe('a check', () => {
  const nothing = () => undefined;
  it.each([
    [
      'text',
      text,
      ['', 'a'],
      [
        [1, 'expected a string, found 1'],
        [undefined, 'expected a string, found undefined'],
      ],
    ],
    [
      'flag',
      flag,
      [true, false],
      [
        ['true', 'expected a boolean, found "true"'],
        [null, 'expected a boolean, found null'],
      ],
    ],
    [
      'callback',
      callback,
      [nothing],
      [
        [{}, 'expected a function, found an object'],
        [[], 'expected a function, found a list'],
      ],
    ],
    ['being', being('string', ' ("a" or "b")'), ['c'], [[nothing, 'expected a string ("a" or "b"), found a function']]],
    [
      'integer',
      integer(1),
      [1, 2, Number.MAX_SAFE_INTEGER],
      [
        [0, 'expected an integer of at least 1, found 0'],
        [1.5, 'expected an integer of at least 1, found 1.5'],
        ['1', 'expected an integer of at least 1, found "1"'],
        [2 ** 53, 'expected an integer of at least 1, found 9007199254740992'],
      ],
    ],
    [
      'having',
      having(['a', 'b'], '{ a, b }'),
      [{ a: undefined, b: 1, c: 2 }],
      [
        [{ a: 1 }, 'expected { a, b }, found an object without b'],
        [{}, 'expected { a, b }, found an object without a, b'],
        [[], 'expected { a, b }, found a list'],
        [null, 'expected { a, b }, found null'],
      ],
    ],
    ['optional', optional(text), [undefined, 'a'], [[null, 'expected a string, found null']]],
    ['listOf', listOf(text), [[], ['a', 'b']], [['a', 'expected a list, found "a"']]],
    ['anything', anything, [undefined, null, 1, []], []],
    [
      'options',
      options({ a: text }),
      [undefined, {}, { a: undefined }, { a: 'x' }],
      [
        [null, 'expected an object, found null'],
        [[], 'expected an object, found a list'],
      ],
    ],
  ] as const)('%s', (_, check, right, wrong) => {
    for (const value of right) expect(check(value, 'x')).toBeUndefined();
    for (const [value, said] of wrong) expect(check(value, 'x')).toBe(`x: ${said}`);
  });

  it('of lists and options names the place', () => {
    expect(listOf(text)(['a', 1, 2], 'x')).toBe('x[1]: expected a string, found 1');
    const check = options({ seed: integer(0), name: text });
    expect(check({ seed: -1, sed: 2, name: 3 }, 'o')).toBe(
      'o.seed: expected an integer of at least 0, found -1; o.sed: no such option; did you mean "seed"?; o.name: expected a string, found 3',
    );
    expect(check({ toString: 1 }, 'o')).toMatch(/^o\.toString: no such option/);
  });

  it('shows at most forty characters of a value', () => {
    expect(text(Symbol('x'), 'x')).toBe('x: expected a string, found Symbol(x)');
    expect(integer(0)('y'.repeat(38), 'x')).toBe(`x: expected an integer of at least 0, found "${'y'.repeat(38)}"`);
    expect(integer(0)('y'.repeat(39), 'x')).toBe(`x: expected an integer of at least 0, found "${'y'.repeat(39)}…`);
  });

  it('comes before the function does anything, and every problem is said', () => {
    const calls: unknown[] = [];
    const act = checked('act', (...given: readonly unknown[]) => calls.push(given), { a: text, b: optional(integer(0)) });
    expect(saidOf(() => act(1, -1))).toBe('act: a: expected a string, found 1\nact: b: expected an integer of at least 0, found -1');
    expect(calls).toEqual([]);
    act('a', undefined, 'more');
    expect(calls).toEqual([['a', undefined, 'more']]);
    expect(saidOf(() => refuse('f', undefined, undefined))).toBe('');
    expect(saidOf(() => refuse('f', undefined, 'wrong'))).toBe('f: wrong');
  });
});

describe('the options', () => {
  const wrongFor = (
    check: typeof readOptions,
    right: Readonly<Record<string, unknown>>,
    wrong: Readonly<Record<string, readonly [unknown, string]>>,
  ): void => {
    for (const [name, value] of Object.entries(right)) expect([name, check({ [name]: value }, 'o')]).toEqual([name, undefined]);
    for (const [name, [value, said]] of Object.entries(wrong))
      expect([name, check({ [name]: value }, 'o')]).toEqual([name, `o.${name}: ${said}`]);
  };
  const call = () => undefined;
  const each = (names: readonly string[], value: unknown): Readonly<Record<string, unknown>> =>
    Object.fromEntries(names.map((name) => [name, value]));
  /** What is said of the value 1 for each of some options. */
  const all = (names: readonly string[], said: string): Readonly<Record<string, readonly [unknown, string]>> =>
    Object.fromEntries(names.map((name) => [name, [1, said]]));
  const definitions = 'expected definitions ({ controllers, invariants, faults, kinds }; defineConfig returns them), found 1';
  const list = 'expected a list, found 1';
  const fn = 'expected a function, found 1';
  const bool = 'expected a boolean, found 1';
  const authority = [{ issuer: 1 }, 'expected { issuer, sign }, found an object without sign'] as const;

  it('of readScenarios', () => {
    wrongFor(
      readOptions,
      {
        file: 'a',
        readFile: call,
        readDump: call,
        from: { paths: [] },
        domain: 'orch.io',
        plain: 'a',
        with: {},
        faults: [],
        invariants: [],
        kinds: 1,
        featureGates: 1,
        kindsOf: call,
        schemaOf: call,
      },
      {
        file: [1, 'expected a string, found 1'],
        readFile: [1, fn],
        readDump: [1, fn],
        from: [{}, 'expected { paths, secrets, lenient }, found an object without paths'],
        domain: [1, 'expected a string ("orch.io" or "k8s.io"), found 1'],
        plain: [1, 'expected a string, found 1'],
        with: [1, definitions],
        faults: [1, list],
        invariants: [1, list],
        kindsOf: [1, fn],
        schemaOf: [1, fn],
      },
    );
  });

  it('of simulate', () => {
    const callbacks = [
      'onEntry',
      'onRequest',
      'onFailure',
      'onPrologue',
      'onRenewalInterval',
      'onObjectChange',
      'webhooks',
      'onCluster',
      'choose',
      'controllers',
      'alter',
      'onLongRun',
    ];
    const flags = ['trace', 'broadcast', 'eagerLeases', 'mayBeIdle', 'digest', 'tries'];
    wrongFor(
      simulateOptions,
      {
        seed: 0,
        ...each(callbacks, call),
        ...each(flags, true),
        with: {},
        invariants: [],
        chooser: 1,
        certificateAuthority: { issuer: 1, sign: 1 },
      },
      {
        seed: [-1, 'expected an integer of at least 0, found -1'],
        ...all(callbacks, fn),
        ...all(flags, bool),
        with: [1, definitions],
        invariants: [1, list],
        certificateAuthority: authority,
      },
    );
  });

  it('of search', () => {
    wrongFor(
      searchOptions,
      {
        runs: 1,
        untilFound: true,
        seed: 0,
        faults: ['crash', 'lose'],
        shard: { index: 1, of: 2 },
        corpus: [[1]],
        strand: 1,
        judge: 'mine',
        with: {},
        invariants: [],
        controllers: call,
        alter: call,
      },
      {
        runs: [0, 'expected an integer of at least 1, found 0'],
        untilFound: [1, bool],
        shard: [{ of: 1 }, 'expected { index, of }, found an object without index'],
        strand: [0, 'expected an integer of at least 1, found 0'],
        judge: ['yours', 'expected "mine" or "all", found "yours"'],
        with: [1, definitions],
        invariants: [1, list],
        controllers: [1, fn],
        alter: [1, fn],
      },
    );
    expect(searchOptions({ judge: 'all' }, 'o')).toBeUndefined();
    expect(searchOptions({ corpus: [[], 1] }, 'o')).toBe('o.corpus[1]: expected a list, found 1');
    expect(searchOptions({ faults: ['crsh'] }, 'o')).toMatch(
      /^o\.faults\[0\]: expected one of crash, .*, unlabel, found "crsh"; did you mean "crash"\?$/,
    );
    expect(searchOptions({ faults: [1] }, 'o')).toMatch(/^o\.faults\[0\]: expected one of crash, .*, unlabel, found 1$/);
  });

  it('of createCluster', () => {
    const flags = ['bootstrap', 'managedFields', 'eagerLeases', 'broadcast', 'digest'];
    const callbacks = ['controllers', 'alter', 'choose', 'webhooks', 'onObservation', 'onRequest', 'onRenewalInterval'];
    wrongFor(
      clusterOptions,
      {
        seed: 'a',
        startAt: -5,
        warmUpMs: 0,
        domain: 'k8s.io',
        rules: 'recorded',
        featureGates: {},
        limits: {},
        maxObjects: 1,
        latency: { api: 1, watch: 1 },
        nodes: [{ name: 'n', capacity: {} }],
        agents: {},
        from: [{ kind: 'Pod', metadata: {} }],
        namespaces: [{ name: 'a' }],
        clients: ['a'],
        kinds: [{ kind: 'A' }],
        timeZone: 'UTC',
        metrics: [1],
        controlPlane: {},
        certificateAuthority: { issuer: 1, sign: 1 },
        ...each(flags, false),
        ...each(callbacks, call),
      },
      {
        seed: [-1, 'expected an integer of at least 0, found -1'],
        startAt: ['now', `expected an integer of at least ${Number.MIN_SAFE_INTEGER}, found "now"`],
        warmUpMs: [-1, 'expected an integer of at least 0, found -1'],
        domain: [1, 'expected a string ("orch.io" or "k8s.io"), found 1'],
        rules: [1, 'expected a string ("specification" or "recorded"), found 1'],
        featureGates: [1, 'expected an object of feature gates, found 1'],
        limits: [1, 'expected an object of limits, found 1'],
        maxObjects: [0, 'expected an integer of at least 1, found 0'],
        latency: [{ api: 1 }, 'expected { api, watch }, found an object without watch'],
        agents: [1, 'expected an object of agent options, found 1'],
        timeZone: [1, 'expected a string, found 1'],
        metrics: [1, list],
        controlPlane: [1, 'expected { controllerManager, scheduler }, found 1'],
        certificateAuthority: authority,
        ...all(flags, bool),
        ...all(callbacks, fn),
      },
    );
    for (const [name, value, said] of [
      ['nodes', [{ name: 'n' }], 'expected { name, capacity }, found an object without capacity'],
      ['from', [{ kind: 'Pod' }], 'expected an object, found an object without metadata'],
      ['namespaces', [{}], 'expected { name, labels }, found an object without name'],
      ['clients', [1], 'expected a string, found 1'],
      ['kinds', [{}], 'expected a kind (defineKind returns it), found an object without kind'],
    ] as const)
      expect(clusterOptions({ [name]: value }, 'o')).toBe(`o.${name}[0]: ${said}`);
  });
});
