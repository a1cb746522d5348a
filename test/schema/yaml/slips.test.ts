/** Where each slip in a YAML text begins and ends: its place, the text that the writer meant, and the lines that are beside it. */
import { describe, expect, it } from 'vitest';
import { formatProblem, readYaml } from '../../../src/schema/yaml/index.ts';

const problems = (text: string) => readYaml(text, 'f').problems.map(formatProblem);
const NONE = 'found none';
const colon = (meant: string) => `expected a colon after the key, ${NONE}; did you mean ${meant}?`;
const space = (meant: string) => `expected a space after the colon, ${NONE}; did you mean ${meant}?`;
const quotes = (meant: string) => `expected quotes around a text with brackets, braces, commas or colons, ${NONE}; did you mean ${meant}?`;
const colonInside = (meant: string) => `expected quotes around a text with a colon, ${NONE}; did you mean ${meant}?`;
const begins = (char: string, meant: string) => `expected quotes around a text that begins with ${char}, ${NONE}; did you mean ${meant}?`;
const indent = (known: string, found: number) => `expected an indentation of ${known}, as above it, found ${found}`;
const unclosed = (open: string, close: string) => `expected a ${close} that closes this ${open}, ${NONE}`;
const unended = (quote: string) => `expected a ${quote} that ends this text, ${NONE}`;
const unknownEscape = (found: string) =>
  `expected an escape that YAML knows (\\\\ is a backslash; between single quotes nothing is escaped), found ${found}`;

const expectEach = (cases: readonly (readonly [text: string, place: string, message: string])[]) =>
  it.each(cases)('%j', (text, place, message) => {
    expect(problems(text)).toEqual([`f:${place}: ${message}`]);
  });

describe('a line without a key', () => {
  expectEach([
    ['b\n\nc: 1\n', '1:1', colon('"b:"')],
    ['a: 1\n-b\nc: 1\n', '2:1', colon('"-b:"')],
    ['a: 1\nb-1./x   # c\nc: 1\n', '2:1', colon('"b-1./x:"')],
    ['a: b\nfoo bar  # c\n', '2:1', 'expected a key and a colon, found "foo bar"'],
    ['a: b\nfoo#bar!\n', '2:1', 'expected a key and a colon, found "foo#bar!"'],
    ['a: b\n=bar\n', '2:1', 'expected a key and a colon, found "=bar"'],
    [`a: 1\n${'w '.repeat(40)}\nc: 1\n`, '2:1', `expected a key and a colon, found "${'w '.repeat(30)}"`],
    ['a: 1\nb:5\nc: 2\n', '2:1', space('"b: 5"')],
    ['a/b.c-d:5s x\n  e: 1\n', '1:1', space('"a/b.c-d: 5s x"')],
    ['a: 1\n- b\n', '2:1', 'expected a key and a colon, as beside it, found a list item'],
    ['x: >+\ny\nz: 1\n', '2:1', 'expected the lines of a text indented deeper than its key, found an indentation of 0'],
    ['x:\n  y: |2\n  z\n  a: 1\n', '3:3', 'expected the lines of a text indented deeper than its key, found an indentation of 2'],
    ['x: |2-\ny\nz: 1\n', '2:1', colon('"y:"')],
    ['x: a>b\ny\nz: 1\n', '2:1', colon('"y:"')],
  ]);
});

describe('a line with the wrong indentation', () => {
  expectEach([
    ['a:\n  b:\n    c:\n      d: 1\n   e: 1\n', '5:4', indent('2, 4 or 6', 3)],
    ['# c\n\n  # d\na:\n  b: 1\n\n   # x\n c: 1\n', '8:2', indent('0 or 2', 1)],
    ['---\n  a: 1\n b: 2\n', '3:2', indent('0 or 2', 1)],
    ['  a: 1\nb: 2\n', '2:1', indent('2', 0)],
    [' a: 1\n  b: 2\n', '2:3', indent('1', 2)],
    ['   - a\n  b: 1\n', '2:3', indent('3 or 5', 2)],
    ['a:\n   - 1\n  - 2\n', '3:3', indent('0, 3 or 5', 2)],
    ['- - a: 1\n     b: 2\n', '2:6', indent('0 or 4', 5)],
    ['a:\n          b: 1\n           c: 1\n', '3:12', indent('0 or 10', 11)],
    ['a: b # c\n  d: e\n', '2:3', indent('0', 2)],
    ['a:\n  b: c\n    d: e\n', '3:5', indent('0 or 2', 4)],
    ['\ta: 1\n', '1:1', 'expected spaces as indentation, found a tab'],
    ['a:\n  b: 1\n\tc: 2\n', '3:1', 'expected spaces as indentation, found a tab'],
  ]);
});

describe('brackets and commas', () => {
  expectEach([
    ['a: [1, [2, 3]\nb: 1\n', '1:4', unclosed('[', ']')],
    ['{a: [1, 2, 3], b: {c: 1}\n', '1:1', unclosed('{', '}')],
    ['a: [1\nb: [2]\n', '1:4', unclosed('[', ']')],
    [': [', '1:3', unclosed('[', ']')],
    ['a: [{ b: 1 ]\n', '1:12', 'expected }, which closes the {, found ]'],
    ['a: {b: [1}\n', '1:10', 'expected ], which closes the [, found }'],
    ['[\n]\n]\n', '3:1', 'expected no ] without the [ that it closes, found ]'],
    ['a: }\n', '1:4', 'expected no } without the { that it closes, found }'],
    ['}\n', '1:1', 'expected no } without the { that it closes, found }'],
    ['a: { b: 1, , c: 2 }\n', '1:12', `expected a value before the comma, ${NONE}`],
    ['[,]\n', '1:2', `expected a value before the comma, ${NONE}`],
    ['a: ["x" "y"]\n', '1:9', `expected a comma before it, ${NONE}`],
    ['a: ["x" {b: 1}]\n', '1:9', `expected a comma before it, ${NONE}`],
    ['a: {"b": "x" c: 2}\n', '1:14', `expected a comma before it, ${NONE}`],
    [
      'a: { b: 1 "c d": 2 }\n',
      '1:10',
      `expected a comma before "c d", or quotes around a text with a colon, ${NONE}; did you mean "1, \\"c d\\":"?`,
    ],
    [
      'a: { b: 1 2  c.d-e: 2 }\n',
      '1:12',
      `expected a comma before c.d-e, or quotes around a text with a colon, ${NONE}; did you mean "1 2, c.d-e:"?`,
    ],
  ]);
});

describe('quotes and escapes', () => {
  expectEach([
    ['"', '1:1', unended('"')],
    ["a: it's\nb: 'x\n", '2:4', unended("'")],
    ["a: 'x\nb: 'y'\n", '1:4', unended("'")],
    ['a: ["x]\n', '1:5', unended('"')],
    ['a: "\\u12"\n', '1:5', unknownEscape('\\u')],
    ['- b: @x # c\n', '1:6', begins('@', '"@x"')],
    ['a: `x`\r\nb: 1\r\n', '1:4', begins('`', '"`x`"')],
    ['a: [%x, y]\n', '1:5', begins('%', '"%x, y"')],
    ['a: { b: %x, c: 1 }\n', '1:9', begins('%', '"%x"')],
    ['a: { b: %x, }\n', '1:9', begins('%', '"%x"')],
    ['a: @"q" b\n', '1:4', begins('@', `'@"q" b'`)],
    ['a: @\\b\n', '1:4', begins('@', "'@\\b'")],
    [`a: @it's "b"\n`, '1:4', begins('@', `'@it''s "b"'`)],
    [`a: @'x # y, z: 1' b # c\n`, '1:4', begins('@', `"@'x # y, z: 1' b"`)],
    ['a: @"x # y" b\n', '1:4', begins('@', `'@"x # y" b'`)],
    ['a: @x#y\n', '1:4', begins('@', '"@x#y"')],
    ['a: @(x, y: z) b, c: 1\n', '1:4', quotes('"@(x, y: z) b"')],
  ]);
});

describe('a colon in a text', () => {
  expectEach([
    ['a: b:\n', '1:4', colonInside('"b:"')],
    ['a: b: c # d\n', '1:4', colonInside('"b: c"')],
    ['a: %x, b: 1 #c\n', '1:4', colonInside('"%x"')],
    [`b: 'a' 'b': c\n`, '1:4', colonInside(`"'a' 'b': c"`)],
    ['b: "a" c: d\n', '1:4', colonInside(`'"a" c: d'`)],
    ['b: x ? y : z\n', '1:4', colonInside('"x ? y : z"')],
  ]);
});

describe('an expression without quotes', () => {
  expectEach([
    ['a: x[0] == y, b: 1\n', '1:4', quotes('"x[0] == y"')],
    ['a: { c: x[0] == y, b: 1 }\n', '1:9', quotes('"x[0] == y"')],
    [`a: { c: 'x' in y, b: 1 }\n`, '1:9', quotes(`"'x' in y"`)],
    ['a: [ x ] + [ y ]\n', '1:4', quotes('"[ x ] + [ y ]"')],
    ['a: [x] in y # c\n', '1:4', quotes('"[x] in y"')],
    ['a: {b: 1} == {b: 1}\n', '1:4', quotes('"{b: 1} == {b: 1}"')],
    ['a: {b} c\n', '1:4', quotes('"{b} c"')],
    ['a: "x": y\n', '1:4', quotes(`'"x": y'`)],
    ['b: "x" "y"\n', '1:4', quotes(`'"x" "y"'`)],
    ['b: !has(x) # c\n', '1:4', `b: ${quotes('"!has(x)"')}`],
    ['b: { a: !has(x.y), c: 1 }\n', '1:9', `b.a: ${quotes('"!has(x.y)"')}`],
    ['b: x ? y[0] : z\n', '1:4', quotes('"x ? y[0] : z"')],
    ['b: { a: x(y): z }\n', '1:9', quotes('"x(y): z"')],
    ['a: { b: x["y"] }\n', '1:9', quotes(`'x["y"]'`)],
    [`a: { b: x['y'] == "z" }\n`, '1:9', quotes(`'x[''y''] == "z"'`)],
    ['a: x || y: z\n', '1:4', quotes('"x || y: z"')],
    ['a: x && y: z\n', '1:4', quotes('"x && y: z"')],
    ['a: b >= c: d\n', '1:4', quotes('"b >= c: d"')],
    ['a: b == c: d\n', '1:4', quotes('"b == c: d"')],
    ['"a b": x != y: z\n', '1:8', quotes('"x != y: z"')],
    [`'a b': x <= y: z\n`, '1:8', quotes('"x <= y: z"')],
    ['- x: [1, 2].all(i, i: 1)\n', '1:6', quotes('"[1, 2].all(i, i: 1)"')],
  ]);
});
