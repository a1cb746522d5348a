/** The query syntax of the search. */
import { expect, it } from 'vitest';
import { queryOf } from '../../../../src/surfaces/page/model/search.ts';

it.each([
  ['web', { words: ['web'] }],
  ['kind:Pod by:Job', { kind: ['pod'], by: ['job'] }],
  ['why:"is wanted" "a  b" c', { why: ['is wanted'], words: ['a  b', 'c'] }],
  ['why:"still typing', { why: ['still typing'] }],
  ['other:word', { words: ['other:word'] }],
])('%s', (text, query) => {
  expect(queryOf(text)).toEqual({ kind: [], by: [], why: [], words: [], ...query });
});

it.each(['', '  ', 'kind:""', '""'])('nothing, by "%s"', (text) => {
  expect(queryOf(text)).toBeUndefined();
});
