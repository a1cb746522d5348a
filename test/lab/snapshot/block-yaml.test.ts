/** The quick reader of YAML agrees with the other one wherever it does not decline. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBlockYaml } from '../../../src/lab/snapshot/block-yaml.ts';
import { formatYaml, readYaml } from '../../../src/schema/yaml/index.ts';

const agrees = (text: string): boolean => {
  const quick = readBlockYaml(text)
    ?.map(({ value }) => value)
    .filter((value) => value !== null);
  if (quick === undefined) return false;
  const { documents, problems } = readYaml(text, 'x', { repeatedKeys: 'last' });
  expect({ text, values: quick, problems: [] }).toEqual({
    text,
    values: documents.map(({ plain }) => plain).filter((plain) => plain !== null),
    problems,
  });
  return true;
};

const PIECES = [
  'a',
  'b:',
  'c: d',
  '- e',
  '- f: g',
  '  ',
  ' ',
  '\n',
  '\n',
  '\n  ',
  '|',
  '|-',
  '|2',
  '-1',
  '.inf',
  '? ',
  '\u00a0',
  '"x',
  '"',
  "'",
  "''",
  ' #h',
  ': ',
  '---',
  '{}',
  '[]',
  '1',
  'k:{"t":"R"}:',
  '\\n',
  '\\',
  '&i',
  'yes',
  '~',
];

test('texts of pieces', () => {
  const text = fc.array(fc.constantFrom(...PIECES), { maxLength: 14 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, (each) => void agrees(each)),
    { numRuns: 3000, seed: 20_261_127 },
  );
});

test('values as this program writes them are read at once', () => {
  const value = fc.dictionary(fc.stringMatching(/^[a-z./]{1,8}$/), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1, maxKeys: 4 });
  let read = 0;
  fc.assert(
    fc.property(value, (each) => void (read += agrees(`${formatYaml(each)}\n`) ? 1 : 0)),
    { numRuns: 300, seed: 20_261_127 },
  );
  expect(read).toBeGreaterThan(100);
});

test('what kubectl writes is read at once', () => {
  const text = [
    'apiVersion: v1',
    'items:',
    '- apiVersion: v1',
    '  kind: Pod',
    '  metadata:',
    '    annotations:',
    '      last: |',
    '        {"a": 1}',
    '      folded: some words',
    '        that go on',
    '    managedFields:',
    '    - fieldsV1:',
    '        f:status:',
    '          k:{"type":"Ready"}:',
    '            .: {}',
    '      manager: "with \\"quotes\\""',
    'kind: List',
    '',
  ].join('\n');
  expect(agrees(text)).toBe(true);
  expect(readBlockYaml(text)?.[0]?.items).toEqual([3]);
});
