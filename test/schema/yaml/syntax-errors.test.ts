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
    ['no expression', 'a: [1,\nb: 2\nc: }\n', [expect.stringMatching(/^f:2:1: expected well-formed YAML, found Flow sequence /)]],
    ['in each document', 'a: [1\n---\nb: {\n', [expect.stringMatching(/^f:\d:\d: exp/), expect.stringMatching(/^f:\d:\d: exp/)]],
  ])('%s', (_, text, messages) => {
    expect(problems(text)).toEqual(messages);
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
