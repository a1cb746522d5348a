/** What YAML looks like that is written for readers. */
import { describe, expect, it } from 'vitest';
import { formatFlow, formatYaml, tidyYaml } from '../../../src/schema/yaml/index.ts';

const wide = (length: number): string => 'x'.repeat(length);

describe('a document', () => {
  it('has small mappings and lists on one line, below its own members', () => {
    const shared = { c: 1 };
    expect(
      formatYaml({
        kind: 'Job',
        metadata: { name: 'a', labels: { app: 'b' } },
        spec: {
          list: [1, 2.5, { a: true }],
          three: { a: { b: shared } },
          four: { a: { b: { c: { d: 1 } } } },
          again: shared,
          none: null,
          empty: {},
          nothing: [],
          fits: { a: wide(67) },
          tooWide: { a: wide(68) },
          fitting: [wide(70)],
          tooLong: [wide(71)],
          items: [{ kind: 'A' }, { kind: 'B', text: 'a\nb' }],
        },
        text: 'a\nb\n',
      }),
    ).toBe(`kind: Job
metadata: { name: a, labels: { app: b } }
spec:
  list: [ 1, 2.5, { a: true } ]
  three: { a: { b: { c: 1 } } }
  four:
    a: { b: { c: { d: 1 } } }
  again: { c: 1 }
  none: null
  empty: {}
  nothing: []
  fits: { a: ${wide(67)} }
  tooWide:
    a: ${wide(68)}
  fitting: [ ${wide(70)} ]
  tooLong:
    - ${wide(71)}
  items:
    - { kind: A }
    - kind: B
      text: |-
        a
        b
text: |
  a
  b
`);
  });

  it.each<[value: unknown, text: string]>([
    [[1, [2, [3]]], '- 1\n- - 2\n  - [ 3 ]\n'],
    ['yes', '"yes"\n'],
    [null, 'null\n'],
    [{}, '{}\n'],
    [[], '[]\n'],
    [{ a: `${wide(50)} ${wide(50)}` }, `a: ${wide(50)} ${wide(50)}\n`],
  ])('%j', (value, text) => {
    expect(formatYaml(value)).toBe(text);
  });
});

describe('a text', () => {
  it('has quotes where a reader of YAML 1.1 would take it for another type', () => {
    const quoted = ['yes', 'Off', 'n', '0644', '0x1F', '1_000', '08', '1.5', '1e3', '.5', '.inf', '~', 'null', '', '<<', '=', 'true'];
    const dates = ['1:30', '-1:30', '+5-1', '2024-03-01', '12-3'];
    for (const text of [...quoted, ...dates]) expect(formatFlow(text)).toBe(`"${text}"`);
    expect(formatYaml({ on: 'on' })).toBe('"on": "on"\n');
    const plain = ['x1:30', '1:x', '1-x', '==', 'v1', 'yess', '3 apples', "it's", 'a:b', '10.0.0.1', '5m'];
    for (const text of plain) expect(formatFlow(text)).toBe(text);
  });

  it('has characters that are seen', () => {
    const shown = ['\u00a0', '\u061b', '\u061d', '\u200d', '\u2010', '\u2027', '\u202f', '\u2065', '\u206a', '\ufefe', '\uff00', '\ufffd'];
    for (const text of [...shown, '~', 'é', '\u{10000}', '\u{1f600}', '\u{10ffff}']) expect(formatFlow(`a${text}`)).toBe(`a${text}`);
  });

  it.each([
    ['\u0000', '\\0'],
    ['\u0007', '\\a'],
    ['\u001f', '\\x1f'],
    ['\r', '\\r'],
    ['\u007f', '\\u007f'],
    ['\u0085', '\\u0085'],
    ['\u009f', '\\u009f'],
    ['\u061c', '\\u061c'],
    ['\u200e', '\\u200e'],
    ['\u200f', '\\u200f'],
    ['\u2028', '\\u2028'],
    ['\u202e', '\\u202e'],
    ['\u2066', '\\u2066'],
    ['\u2069', '\\u2069'],
    ['\ud800', '\\ud800'],
    ['\ufeff', '\\ufeff'],
    ['\ufffe', '\\ufffe'],
  ])('has %j as an escape', (char, escaped) => {
    expect(formatYaml({ [`k${char}`]: `${char}v` })).toBe(`"k${escaped}": "${escaped}v"\n`);
    expect(formatYaml([`a${char}\nb`])).toBe(`- "a${escaped}\\nb"\n`);
  });
});

it('a value on one line is on one line, whatever it contains', () => {
  expect(formatFlow({ kind: 'Job', spec: { list: [1, { a: ['x'] }, {}, []], text: 'a\nb\n', on: wide(90) }, none: null })).toBe(
    `{ kind: Job, spec: { list: [ 1, { a: [ x ] }, {}, [] ], text: "a\\nb\\n", "on": ${wide(90)} }, none: null }`,
  );
  expect([formatFlow('a\nb'), formatFlow(7), formatFlow([])]).toEqual(['"a\\nb"', '7', '[]']);
});

describe('a tidy text', () => {
  it.each([
    ['spaces', 'a:   1\nb: [1,2,   {a:  b}]\nc:\n    - x\n    -   y\n', 'a: 1\nb: [ 1, 2, { a: b } ]\nc:\n  - x\n  - y\n'],
    ['comments', '# c\na: 1 # d\n\n\nb: 2\n', '# c\na: 1 # d\n\nb: 2\n'],
    ['documents', 'a:  1\n---\nb:  2\n', 'a: 1\n---\nb: 2\n'],
    ['scalars as they are written', 'a: 0644\nb: yes\nc: 1.50\nd: 0x1F\ne: ~\nf:\n', 'a: 0644\nb: yes\nc: 1.50\nd: 0x1F\ne: ~\nf:\n'],
    ['quotes and tags', 'a: "x"\nb: \'y\'\nc: !!int  "5"\nd: &e  1\nf: *e\n', 'a: "x"\nb: \'y\'\nc: !!int "5"\nd: &e 1\nf: *e\n'],
    ['a key twice', 'a:  1\na:  2\n', 'a: 1\na: 2\n'],
    ['long lines', `a:  "${'x y '.repeat(40)}"\n`, `a: "${'x y '.repeat(40)}"\n`],
  ])('keeps %s', (_, text, tidy) => {
    expect(tidyYaml(text)).toBe(tidy);
    expect(tidyYaml(tidy)).toBe(tidy);
  });

  it('needs well-formed YAML in each document', () => {
    for (const text of ['', '# only\n', 'a: [\n', 'a: 1\n---\nb: [\n', 'b: [\n---\na: 1\n']) expect(tidyYaml(text)).toBeUndefined();
  });
});
