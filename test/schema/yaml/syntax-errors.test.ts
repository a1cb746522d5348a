import { describe, expect, it } from 'vitest';
import { formatProblem, readYaml } from '../../../src/schema/yaml/index.ts';

const problems = (text: string) => readYaml(text, 'f').problems.map(formatProblem);
const quotes = (place: string, text: string) =>
  `f:${place}: expected quotes around a text with brackets, braces, commas or colons, found none; did you mean ${text}?`;

describe('one syntax error gives one message', () => {
  it.each([
    ['an index in a flow mapping', "a:\n  - b: { cel: x('P')[0].y == 'a', within: 5m }\n  - c\n", [quotes('2:15', `"x('P')[0].y == 'a'"`)]],
    ['a conditional', 'a:\n  - cel: x() ? 1 : 2 # so\n  - c: [\n', [quotes('2:10', '"x() ? 1 : 2"')]],
    ['a text with further tokens', `a:\n  cel: "x" == y\n`, [quotes('2:8', `'"x" == y'`)]],
    ['no expression', 'a: [1,\nb: 2\nc: }\n', ['f:1:4: expected a ] that closes this [, found none']],
    ['in each document', 'a: [1\n---\nb: {\n', [expect.stringMatching(/^f:\d:\d: exp/), expect.stringMatching(/^f:\d:\d: exp/)]],
  ])('%s', (_, text, messages) => {
    expect(problems(text)).toEqual(messages);
  });
});

describe('a slip is named as its writer sees it', () => {
  const slips: readonly (readonly [what: string, text: string, message: string])[] = [
    ['no colon', 'a: 1\nb\n', '2:1: expected a colon after the key, found none; did you mean "b:"?'],
    ['no colon, and more below', 'a:\n  b\n    c: 1\n', '2:3: expected a colon after the key, found none; did you mean "b:"?'],
    ['no colon, among keys', 'a: 1\nb\nc: 2\n', '2:1: expected a colon after the key, found none; did you mean "b:"?'],
    ['no space', '- at:5s\n  b: 1\n', '1:3: expected a space after the colon, found none; did you mean "at: 5s"?'],
    ['a tab', 'a:\n\t- b\n', '2:1: expected spaces as indentation, found a tab'],
    ['an open mapping', 'a: { b: { c: 1 }\nd: 2\n', '1:4: expected a } that closes this {, found none'],
    ['a document of one', '{ a: { b: 1 }', '1:1: expected a } that closes this {, found none'],
    ['an open list inside', 'a: { b: [1, 2 }\n', '1:15: expected ], which closes the [, found }'],
    ['a bracket too many', 'a: [1]]\n', '1:7: expected no ] without the [ that it closes, found ]'],
    ['too little indentation', 'a:\n  b: 1\n c: 2\n', '3:2: expected an indentation of 0 or 2, as above it, found 1'],
    ['too much', '- a: 1\n   b: 2\n', '2:4: expected an indentation of 0 or 2, as above it, found 3'],
    ['of a list', 'a:\n  - 1\n - 2\n', '3:2: expected an indentation of 0, 2 or 4, as above it, found 1'],
    ['a key in a list', '- a\nb: 1\n', '2:1: expected a list item (- …), as above it, found none'],
    ['an item among keys', 'a: 1\n- b\n', '2:1: expected a key and a colon, as beside it, found a list item'],
    ['a list behind its key', 'a: - b\n', '1:4: expected the list on lines below its key, found it behind the key'],
    ['a colon in a text', 'a: b: c\n', '1:4: expected quotes around a text with a colon, found none; did you mean "b: c"?'],
    ['the same in a mapping', 'a: { b: c: d }\n', '1:9: expected quotes around a text with a colon, found none; did you mean "c: d"?'],
    [
      'no comma',
      'a: { b: 1 c: 2 }\n',
      '1:10: expected a comma before c, or quotes around a text with a colon, found none; did you mean "1, c:"?',
    ],
    ['no comma in JSON', '{"a": "b" "c": 1}', '1:11: expected a comma before it, found none'],
    ['nothing between commas', 'a: [1,,2]\n', '1:7: expected a value before the comma, found none'],
    ['an open quote', 'a: 1\nb: "x\nc: 2\n', '2:4: expected a " that ends this text, found none'],
    ['a single one', "b: 'x\n", "1:4: expected a ' that ends this text, found none"],
    [
      'a beginning that means something',
      'a: %x, y\n',
      '1:4: expected quotes around a text that begins with %, found none; did you mean "%x, y"?',
    ],
    [
      'an escape',
      'a: "\\q"\n',
      '1:5: expected an escape that YAML knows (\\\\ is a backslash; between single quotes nothing is escaped), found \\q',
    ],
    [
      'a text that is not below its key',
      'a: |\nb\n  c: 1\n',
      '2:1: expected the lines of a text indented deeper than its key, found an indentation of 0',
    ],
  ];
  it.each(slips)('%s', (_, text, message) => {
    expect(problems(text)).toEqual([`f:${message}`]);
  });

  it.each(['{"a": 1}.size() == 1', '[1, 2].size() == 2', '"a" == "b"', "'a' in x", '!has(x.y)', 'x ? 1 : 2'])(
    'an expression without quotes: %s',
    (cel) => {
      expect(problems(`a: 1\nb: ${cel}\nc: 2\n`)).toEqual([
        expect.stringMatching(/^f:2:4: (?:b: )?expected quotes around .*; did you mean /),
      ]);
    },
  );
});

it('what could not be read takes its document with it: what is left has mistakes that nobody made', () => {
  expect(readYaml('a: *x\n---\nb: 1\n', 'f')).toMatchObject({
    problems: [{ line: 1, col: 4, expected: 'an alias of an anchor above it' }],
    documents: [{ plain: { b: 1 } }],
  });
});

it.each([
  ['\0', 'U+0000'],
  ['\u0007', 'U+0007'],
  ['\u007f', 'U+007F'],
  ['\ud800', 'U+D800'],
])('%j is not allowed in a text', (char, name) => {
  expect(problems(`a: 1\nb: "x${char}y"\n`)).toEqual([`f:2:6: expected no control characters, found ${name}`]);
  expect(problems('a: "\u0085 \u00e4 \u{1f600}\ttab"\r\n')).toEqual([]);
});
