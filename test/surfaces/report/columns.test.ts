/** Text for terminals: widths, wrapped lines, tables, colours, characters that steer a terminal. */
import { describe, expect, it } from 'vitest';
import { kindsFor } from '../../../src/apiserver/kinds/index.ts';
import { namesFor } from '../../../src/apiserver/machinery/index.ts';
import {
  count,
  eraseLine,
  fittedTable,
  grouped,
  objectTable,
  objectYaml,
  pad,
  paintLines,
  paintParts,
  type Palette,
  PLAIN,
  printable,
  sealed,
  steers,
  table,
  widthOf,
  wrapLine,
} from '../../../src/surfaces/report/index.ts';
import { MARKED, parts } from './samples.ts';

const RED = '\u001B[31m';
const END = '\u001B[39m';

describe('a line', () => {
  it('is as wide as its visible characters', () => {
    expect([widthOf(''), widthOf(`${RED}ab${END}c`), widthOf('✓…'), widthOf('😀')]).toEqual([0, 3, 2, 1]);
    expect([pad('ab', 2), pad('ab', 3), pad(`${RED}a${END}`, 2)]).toEqual(['ab', 'ab ', `${RED}a${END} `]);
  });

  it('is wrapped at words, with its indentation and four more', () => {
    expect(wrapLine('  aa bb cc', 10)).toEqual(['  aa bb cc']);
    expect(wrapLine('  aa bb cc', 9)).toEqual(['  aa bb', '    cc']);
    expect(wrapLine('aa bb cc dd', 9)).toEqual(['aa bb cc', '    dd']);
    expect(wrapLine(`aa ${RED}bb${END} cc dd`, 9)).toEqual([`aa ${RED}bb${END} cc`, '    dd']);
    // A word that does not fit stands alone; gaps of several spaces stay within a line.
    expect(wrapLine('a  b verylongword c', 8)).toEqual(['a  b', '    verylongword', '    c']);
    expect(wrapLine('verylongword', 5)).toEqual(['verylongword']);
  });

  it('that is far to the right goes on at the left', () => {
    expect(wrapLine(`${' '.repeat(5)}aaaa bbbb cccc dddd`, 20)).toEqual(['     aaaa bbbb cccc', `${' '.repeat(9)}dddd`]);
    expect(wrapLine(`${' '.repeat(6)}aaaa bbbb cccc dddd`, 20)).toEqual(['      aaaa bbbb cccc', '    dddd']);
  });

  it('of a quotation repeats its bar, coloured or not; a given hanging goes before', () => {
    expect(wrapLine('  │ aa bb cc', 9)).toEqual(['  │ aa bb', '  │ cc']);
    expect(wrapLine(`  ${RED}│${END} aa bb cc`, 9)).toEqual([`  ${RED}│${END} aa bb`, `  ${RED}│${END} cc`]);
    expect(wrapLine('  │ aa bb cc', 9, '>> ')).toEqual(['  │ aa bb', '>> cc']);
    expect(wrapLine('  |aa bb cc', 9, '>> ')).toEqual(['  |aa bb', '>> cc']);
  });
});

describe('a table', () => {
  const rows = [
    ['NAME', 'N', 'TEXT'],
    ['a', '100', 'some words here'],
    ['bb', '1', ''],
  ];

  it('has columns as wide as their widest cell; the last is not padded, and ends are trimmed', () => {
    expect(table(rows)).toEqual(['NAME  N    TEXT', 'a     100  some words here', 'bb    1']);
    expect(table(rows, ' | ')).toEqual(['NAME | N   | TEXT', 'a    | 100 | some words here', 'bb   | 1   |']);
    expect(
      table([
        [`${RED}ab${END}`, 'x'],
        ['c', 'y', 'z'],
      ]),
    ).toEqual([`${RED}ab${END}  x`, 'c   y  z']);
    expect(table([])).toEqual([]);
  });

  it('that is too wide has its last column below its rows, without its heading', () => {
    expect(fittedTable(rows, '  ', 26)).toEqual(table(rows));
    expect(fittedTable(rows, '  ', 25)).toEqual(['NAME  N', 'a     100', '    some words here', 'bb    1']);
    expect(fittedTable(rows, '  ', 14)).toEqual(['NAME  N', 'a     100', '    some words', '    here', 'bb    1']);
  });
});

it('numbers are grouped, and counted things have a plural', () => {
  expect([0, 999, 1_000, 12_345, 1_234_567].map(grouped)).toEqual(['0', '999', '1,000', '12,345', '1,234,567']);
  expect([count(0, 'write'), count(1, 'write'), count(2_000, 'write'), count(2, 'match', 'matches')]).toEqual([
    '0 writes',
    '1 write',
    '2,000 writes',
    '2 matches',
  ]);
});

describe('the line of an entry', () => {
  it('has columns, and colours by what it says', () => {
    expect(paintParts(parts({ given: '(for: 5s)' }), MARKED)).toBe(
      '<dim>   5.000s</dim>  <dim>#3    </dim> job                <strong>pi</strong> <good>create</good> Pod pi-0 <dim>(for: 5s)</dim>  <dim>rv 9</dim>   <dim>it is needed</dim>',
    );
    expect(paintParts(parts({ revision: '', why: '' }), PLAIN)).toBe(
      '   5.000s  #3     job                pi                 create Pod pi-0',
    );
  });

  it.each([
    ['created', 'good', false],
    ['held', 'good', false],
    ['removed', 'bad', false],
    ['refused', 'bad', false],
    ['fault', 'bad', true],
    ['broken', 'bad', true],
    ['changed', 'warn', false],
    ['operation', 'strong', true],
    ['note', 'strong', true],
    ['event', 'accent', false],
    ['decided', 'accent', false],
    ['seen', 'dim', true],
  ] as const)('that is %s is %s', (tone, colour, isWhole) => {
    const painted = (what: string): string =>
      paintParts(parts({ tone, what, about: '', who: '', time: '', step: '', revision: '', why: '' }), MARKED);
    expect(painted('sees it')).toContain(isWhole ? ` <${colour}>sees it</${colour}>` : ` <${colour}>sees</${colour}> it`);
    expect(painted('held')).toContain(` <${colour}>held</${colour}>`);
  });

  it('is wrapped at the column of the event where that is not too far to the right', () => {
    const long = parts({ what: `create Pod ${'word '.repeat(12)}end`, revision: '', why: '' });
    expect(paintLines(long, PLAIN, undefined)).toEqual([paintParts(long, PLAIN)]);
    const [, second, third] = paintLines(long, PLAIN, 113);
    expect([second, third]).toEqual([`${' '.repeat(58)}word word word end`, undefined]);
    expect(paintLines(long, PLAIN, 112)[1]).toMatch(/^ {4}word/);
  });
});

describe('characters that steer a terminal', () => {
  it('are shown as escapes; what is ours passes', () => {
    const harmless = 'a\tb\nc ✓ é';
    expect([steers(harmless), printable(harmless)]).toEqual([false, harmless]);
    const evil = [
      '\u0000',
      '\u0008',
      '\u000b',
      '\u001b',
      '\u007f',
      '\u009f',
      '\u061c',
      '\u200e',
      '\u200f',
      '\u2028',
      '\u202e',
      '\u2066',
      '\u2069',
      '\ufeff',
    ];
    for (const each of evil) {
      const shown = `\\u${(each.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
      expect([steers(each), printable(`a${each}b`)]).toEqual([true, `a${shown}b`]);
    }
    expect(printable('\u001B[31mred\u001B[K')).toBe(String.raw`\u001b[31mred\u001b[K`);
    expect(printable(`a${eraseLine()}b`)).toBe('a\r\u001B[Kb');
  });

  it('are in colours only as a sealed palette has them, and a colour goes on after one within it', () => {
    const colour =
      (code: number) =>
      (text: string): string =>
        `\u001B[${code}m${text}\u001B[39m`;
    const palette: Palette = { ...PLAIN, bad: colour(31), good: colour(32), dim: (text) => `\u001B[2m${text}\u001B[22m` };
    const { bad, good, dim, warn } = sealed(palette);
    expect(warn('a')).toBe('a');
    expect(bad('a')).not.toBe(palette.bad('a'));
    expect(printable(bad('a'))).toBe('\u001B[31ma\u001B[39m');
    expect(printable(bad(`a${good('b')}c`))).toBe('\u001B[31ma\u001B[32mb\u001B[39m\u001B[31mc\u001B[39m');
    expect(printable(dim(`a${bad('b')}c`))).toBe('\u001B[2ma\u001B[31mb\u001B[39mc\u001B[22m');
    expect(printable(bad('\u001B[0m'))).toBe('\u001B[31m\\u001b[0m\u001B[39m');
  });
});

describe('objects', () => {
  const kinds = kindsFor(namesFor('orch.io'));
  const map = kinds.byKind('ConfigMap');
  const space = kinds.byKind('Namespace');
  if (map === undefined || space === undefined) throw new Error('kinds are missing');
  const configMap = (name: string, namespace = 'default') => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, uid: 'u', creationTimestamp: '2024-05-02T09:00:00Z', managedFields: [{ manager: 'm' }] },
    data: { a: '1' },
  });
  const context = { now: Date.UTC(2024, 4, 2, 9, 5) } as never;
  const tableOf = (...given: readonly ReturnType<typeof configMap>[]) => objectTable(map, given as never, context, PLAIN);

  it('are in a table, with their namespaces where it is not the default one alone', () => {
    expect(tableOf(configMap('a'), configMap('b'))).toEqual(['NAME   DATA   AGE', 'a      1      5m', 'b      1      5m']);
    expect(tableOf(configMap('a', 'shop'))).toEqual(['NAMESPACE   NAME   DATA   AGE', 'shop        a      1      5m']);
    expect(tableOf(configMap('a'), configMap('b', 'shop'))[1]).toBe('default     a      1      5m');
    expect(objectTable(map, [], context, MARKED)).toEqual(['<dim>NAMESPACE</dim>   <dim>NAME</dim>   <dim>DATA</dim>   <dim>AGE</dim>']);
  });

  it('of the cluster have no namespace, and cells without a value are named; wide columns are left out', () => {
    const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'n', uid: 'u' }, status: { phase: 'Active' } };
    expect(objectTable(space, [object] as never, context, PLAIN)).toEqual(['NAME   STATUS   AGE', 'n      Active   <unknown>']);
    expect(
      objectTable({ ...space, columns: space.columns.map((each) => ({ ...each, priority: 1 })) }, [object] as never, context, PLAIN),
    ).toEqual(['', '']);
    const cells = ['', null, undefined, 0, false, { a: 1 }].map((cell) => ({ name: 'c', priority: 0, cell: () => cell }));
    expect(objectTable({ namespaced: false, columns: cells } as never, [object] as never, context, PLAIN)[1]).toBe(
      '<none>   <none>   <none>   0   false   {"a":1}',
    );
  });

  it('are YAML without managedFields, what they are first', () => {
    const { apiVersion, kind, ...rest } = configMap('a');
    expect(objectYaml({ ...rest, kind, apiVersion } as never)).toBe(
      'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\n  namespace: default\n  uid: u\n  creationTimestamp: "2024-05-02T09:00:00Z"\ndata: { a: "1" }\n',
    );
  });
});
