/** The stored form of values of custom resources, and cells of tables of them. */
import { describe, expect, it } from 'vitest';
import { pathSteps, printerColumn, type Structural, storedForm } from '../../../src/apiserver/structural/index.ts';

describe('a stored value', () => {
  const open = { 'x-kubernetes-preserve-unknown-fields': true } as const;
  const embedded = { 'x-kubernetes-embedded-resource': true } as const;

  it('has known members, sorted, and defaults', () => {
    const schema: Structural = {
      properties: {
        b: { default: 1 },
        a: {},
        n: { properties: { x: { default: 'd' } } },
        m: { default: {}, properties: { y: { default: 2 } } },
      },
    };
    expect([
      storedForm({ n: {}, z: 1, a: 5 }, schema),
      storedForm({ b: null, a: null }, schema),
      storedForm({ a: null }, { properties: { a: { nullable: true } } }),
      storedForm('x', schema),
      storedForm(null, schema),
    ]).toEqual([{ a: 5, b: 1, m: { y: 2 }, n: { x: 'd' } }, { b: 1, m: { y: 2 } }, { a: null }, 'x', null]);
    expect(Object.keys(storedForm({ n: {}, z: 1, a: 5 }, schema) as object)).toEqual(['a', 'b', 'm', 'n']);
  });

  it('keeps what may be anything', () => {
    const free = { b: { d: 1, c: [{ f: 1, e: 2 }] }, a: 1 };
    const kept = storedForm({ x: free }, { properties: { x: open } });
    expect(JSON.stringify(kept)).toBe('{"x":{"a":1,"b":{"c":[{"e":2,"f":1}],"d":1}}}');
    expect([
      storedForm(free, open),
      storedForm(free, { additionalProperties: true }),
      storedForm(free, { additionalProperties: {} }),
      storedForm(free, {}),
      storedForm(free, { additionalProperties: false }),
    ]).toEqual([{ a: 1, b: { c: [{ e: 2, f: 1 }], d: 1 } }, { a: 1, b: {} }, { a: 1, b: {} }, {}, {}]);
    expect([storedForm({ apiVersion: 'v1', kind: 'K', metadata: { b: 1, a: 2 }, spec: 1 }, embedded), storedForm({ spec: 1 }, {})]).toEqual(
      [{ apiVersion: 'v1', kind: 'K', metadata: { a: 2, b: 1 } }, {}],
    );
  });

  it('of a list is that of its items', () => {
    expect([
      storedForm([{ a: 1, z: 1 }, null], { items: { properties: { a: {} } } }),
      storedForm([null, 1], { items: { default: 5 } }),
      storedForm([null], { items: { nullable: true, default: 5 } }),
      storedForm([{ b: 1, a: 1 }, [{ c: 1 }]], {}),
      storedForm([{ b: 1, a: 1 }], open),
    ]).toEqual([[{ a: 1 }, null], [5, 1], [null], [{}, [{}]], [{ a: 1, b: 1 }]]);
  });

  it('is the value itself where nothing changes', () => {
    const same = [{ a: [1, { b: 2 }] }, [1, 2], { a: 1, b: 2 }];
    const schemas: readonly Structural[] = [{ properties: { a: { items: { properties: { b: {} } } } } }, { items: {} }, open];
    expect(same.map((value, at) => storedForm(value, schemas[at] ?? {}) === value)).toEqual([true, true, true]);
    expect(storedForm({ b: 1, a: 2 }, open)).toEqual({ a: 2, b: 1 });
    expect(Object.keys(storedForm({ b: 1, a: 2 }, open) as object)).toEqual(['a', 'b']);
  });
});

/** What columns of each type show of the values below. */
const TYPED: Readonly<Record<string, readonly unknown[]>> = {
  string: ['t', '2.7', 'true', '<no value>', '2024-03-01T00:00:00Z', '2024-03-01', '', null],
  integer: [null, 2, null, null, null, null, null, null],
  number: [null, 2.7, null, null, null, null, null, null],
  boolean: [null, null, true, null, null, null, null, null],
  date: ['<invalid>', null, null, null, '60s', '<invalid>', '<unknown>', null],
};

describe('a cell', () => {
  const object = {
    metadata: { name: 'n', 'odd-name': 1 },
    spec: {
      list: [
        { type: 'A', is: { deep: 'x' }, v: 1 },
        { type: 'B', v: 2 },
      ],
      text: 't',
      number: 2.7,
      flag: true,
      none: null,
      at: '2024-03-01T00:00:00Z',
      bad: '2024-03-01',
      empty: '',
    },
  };
  const cell = (jsonPath: string, type = 'string'): unknown => {
    const steps = pathSteps(jsonPath);
    return steps === undefined
      ? 'no path'
      : printerColumn({ name: 'N', type: type as 'string', jsonPath }, steps).cell(
          object as never,
          { now: Date.parse('2024-03-01T00:01:00Z') } as never,
        );
  };

  it('is what its path leads to', () => {
    expect(
      [
        '.spec.text',
        '{.spec.text}',
        ".metadata['odd-name']",
        '.metadata.odd-name',
        ".spec.'text'",
        '.spec.list[1].v',
        '.spec.list[?(@.type=="B")].v',
        ".spec.list[?(@.is.deep == 'x')].v",
        '.spec.list[9].v',
        '.spec.list[?(@.type=="C")].v',
        '.spec.text[0]',
        '.spec.gone',
        '.toString',
        '.spec.list',
        '.spec.none',
      ].map((path) => cell(path)),
    ).toEqual([
      't',
      't',
      '1',
      '1',
      null,
      '2',
      '2',
      '1',
      null,
      null,
      null,
      null,
      null,
      '[{"type":"A","is":{"deep":"x"},"v":1},{"type":"B","v":2}]',
      '<no value>',
    ]);
    expect(['', '{}', '$..a', '.spec..a', '.spec.list[*]', '.spec.list[-1]', 'spec'].map((path) => cell(path))).toEqual(
      Array.from({ length: 7 }, () => 'no path'),
    );
  });

  it('is of its type, or empty', () => {
    const paths = ['.spec.text', '.spec.number', '.spec.flag', '.spec.none', '.spec.at', '.spec.bad', '.spec.empty', '.spec.gone'];
    for (const [type, cells] of Object.entries(TYPED)) expect([type, paths.map((path) => cell(path, type))]).toEqual([type, cells]);
  });

  it('of type date shows no age where the text is null', () => {
    const { cell: shown } = printerColumn({ name: 'N', type: 'date', jsonPath: '.at' }, pathSteps('.at') ?? []);
    const cells = ['null', 'nul', '2024-03-01T00:00:00+01:00'].map((at) =>
      shown({ at } as never, { now: Date.parse('2024-03-01T00:00:00Z') } as never),
    );
    expect(cells).toEqual(['<unknown>', '<invalid>', '60m']);
  });

  it('has a column with a description', () => {
    const steps = pathSteps('.a') ?? [];
    const { cell: _, ...plain } = printerColumn({ name: 'N', type: 'date', jsonPath: '.a' }, steps);
    const { cell: __, ...said } = printerColumn(
      { name: 'N', type: 'date', jsonPath: '.a', description: 'What.', format: 'f', priority: 1 },
      steps,
    );
    expect([plain, said]).toEqual([
      { name: 'N', type: 'date', description: 'Custom resource definition column (in JSONPath format): .a', priority: 0 },
      { name: 'N', type: 'date', description: 'What.', format: 'f', priority: 1 },
    ]);
  });
});
