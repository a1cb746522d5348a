/** The keys around a cursor, and what is typed there, in texts that need not be valid. `▮` is the cursor. */
import { describe, expect, it } from 'vitest';
import { cursorContextAt, type CursorContext } from '../../../src/lab/scenario/cursor-context.ts';

function contextOf(marked: string): CursorContext | undefined {
  const before = marked.split('▮')[0] ?? '';
  const lines = before.split('\n');
  return cursorContextAt(marked.replace('▮', ''), lines.length, (lines.at(-1)?.length ?? 0) + 1);
}

describe('at a key', () => {
  it.each<[string, string, Partial<CursorContext>]>([
    ['of the document', 'ki▮', { path: [], typed: 'ki', from: 1, siblings: [] }],
    ['that is whole', 'ki▮nd: Job', { path: [], key: 'kind', typed: 'ki', from: 1, kind: 'Job', objectKind: 'Job', siblings: [] }],
    ['at its end', 'kind▮: Job', { path: [], key: 'kind', typed: 'kind', from: 1, kind: 'Job', objectKind: 'Job', siblings: [] }],
    ['below another', 'spec:\n  cluster:\n    no▮', { path: ['spec', 'cluster'], typed: 'no', from: 5, siblings: [] }],
    [
      'with others beside it',
      'spec:\n  a: 1\n  b▮\n  c: 2\n\n  # note\n  d:\n    e: 3\nf: 1',
      { path: ['spec'], typed: 'b', from: 3, siblings: ['a', 'c', 'd'] },
    ],
    ['with those of another mapping around', 'x:\n  a: 1\ny:\n  b▮\nz:\n  c: 1', { path: ['y'], typed: 'b', from: 3, siblings: [] }],
    ['of an item', 'steps:\n  - at: 1s\n    no▮', { path: ['steps'], typed: 'no', from: 5, siblings: ['at'] }],
    ['of the first member of an item', 'steps:\n  - no▮\n    at: 1s', { path: ['steps'], typed: 'no', from: 5, siblings: ['at'] }],
    [
      'of an item of a list that is not indented',
      'spec:\n  steps:\n  - at: 1s\n    no▮',
      { path: ['spec', 'steps'], typed: 'no', from: 5, siblings: ['at'] },
    ],
    ['of an item after another', 'steps:\n  - at: 1s\n  - no▮\n  - at: 2s', { path: ['steps'], typed: 'no', from: 5, siblings: [] }],
    [
      'of an item below an item',
      'steps:\n  - ask:\n      choices:\n        - say: a\n        - s▮',
      { path: ['steps', 'ask', 'choices'], typed: 's', from: 11, siblings: [] },
    ],
    ['of a list in a list', 'a:\n  - - b▮', { path: ['a'], typed: 'b', from: 7, siblings: [] }],
    ['in quotes', '"sp▮ec":\n', { path: [], key: 'spec', typed: '"sp', from: 1, siblings: [] }],
    ['after nothing', 'spec:\n  ▮', { path: ['spec'], typed: '', from: 3, siblings: [] }],
    ['after comments and empty lines', 'spec:\n# one\n\n  # two\n  t▮', { path: ['spec'], typed: 't', from: 3, siblings: [] }],
  ])('%s', (_, marked, context) => {
    expect(contextOf(marked)).toEqual(context);
  });
});

describe('at a value', () => {
  it.each<[string, string, Partial<CursorContext>]>([
    ['of a key', 'rules: sp▮', { path: [], key: 'rules', typed: '', value: 'sp', from: 8, siblings: [] }],
    ['that is empty', 'rules: ▮', { path: [], key: 'rules', typed: '', value: '', from: 8, siblings: [] }],
    ['of a key of an item', 'a:\n  - b: c▮', { path: ['a'], key: 'b', typed: '', value: 'c', from: 8, siblings: [] }],
    ['with a colon', 'a: b:c▮', { path: [], key: 'a', typed: '', value: 'c', from: 6, siblings: [] }],
  ])('%s', (_, marked, context) => {
    expect(contextOf(marked)).toEqual(context);
  });
});

describe('in braces', () => {
  it.each<[string, string, Partial<CursorContext>]>([
    ['at a key', 'spec: { ti▮', { path: ['spec'], typed: 'ti', from: 9, siblings: [] }],
    ['after others', 'spec: { a: 1, b: { c: 2 }, ti▮ }', { path: ['spec'], typed: 'ti', from: 28, siblings: ['a', 'b'] }],
    ['at a key that is whole', 'spec: { ti▮tle: x }', { path: ['spec'], key: 'title', typed: 'ti', from: 9, siblings: [] }],
    ['inside others', 'spec: { b: { c: 2, d▮', { path: ['spec', 'b'], typed: 'd', from: 20, siblings: ['c'] }],
    ['at a value', 'spec: { a: x▮ }', { path: ['spec'], key: 'a', typed: '', value: 'x', from: 12, siblings: [] }],
    ['of an item of a list', 'a: [{ b: 1 }, { c▮', { path: ['a'], typed: 'c', from: 17, siblings: [] }],
    ['of a list of a key in them', 'a: { l: [{ b: 1 }, { c▮', { path: ['a', 'l'], typed: 'c', from: 22, siblings: [] }],
    ['after a list', 'a: { l: [{ b: 1 }], c▮', { path: ['a'], typed: 'c', from: 21, siblings: ['l'] }],
    ['after texts in quotes', `a: { b: "{ x: 1", c: '[', d▮`, { path: ['a'], typed: 'd', from: 27, siblings: ['b', 'c'] }],
    ['of an item below a dash', 'a:\n  - { b▮', { path: ['a'], typed: 'b', from: 7, siblings: [] }],
    ['of a key below a dash', 'a:\n  - b: { c▮', { path: ['a', 'b'], typed: 'c', from: 10, siblings: [] }],
  ])('%s', (_, marked, context) => {
    expect(contextOf(marked)).toEqual(context);
  });

  it('that are closed, the key before counts', () => {
    expect(contextOf('a: { b: 1 } ▮')).toMatchObject({ path: [], key: 'a', value: '' });
    expect(contextOf('a: [b, c▮')).toMatchObject({ path: [], key: 'a' });
  });
});

describe('in a text or a comment', () => {
  it.each(['a: |\n  te▮', 'a: >-\n  te▮', 'a: |2+\n    te▮', '# a▮', 'a: 1 # b▮', 'a:\n  b: |\n    one\n    t▮wo'])(
    '%j is nothing completed',
    (marked) => {
      expect(contextOf(marked)).toBeUndefined();
    },
  );

  it('that is over, or not one, it is', () => {
    expect(contextOf('a: |\n  text\nb▮')).toMatchObject({ path: [], typed: 'b', siblings: ['a'] });
    expect(contextOf('a: x#b▮')).toMatchObject({ key: 'a', value: 'x#b' });
    expect(cursorContextAt('a: 1', 7, 1)).toBeUndefined();
  });
});

describe('the kinds around', () => {
  const kinds = (marked: string) => {
    const { kind, objectKind } = contextOf(marked) ?? {};
    return [kind, objectKind];
  };
  it.each<[string, string, readonly (string | undefined)[]]>([
    ['of the document', 'kind: Job\nspec:\n  a▮', ['Job', 'Job']],
    ['in quotes', 'kind: "Job"\nspec:\n  a▮', ['Job', 'Job']],
    ['below the cursor', 'spec:\n  a▮\nkind: Job', ['Job', 'Job']],
    ['of another document', 'kind: Job\n---\nspec:\n  a▮\n---\nkind: Pod', [undefined, undefined]],
    ['of the second document', 'kind: Job\n---\nkind: Pod\nspec:\n  a▮', ['Pod', 'Pod']],
    [
      'of the object that is written',
      'kind: Scenario\nspec:\n  steps:\n    - apply:\n        kind: Job\n        spec:\n          a▮',
      ['Scenario', 'Job'],
    ],
    [
      'of the item that is written',
      'kind: Scenario\nspec:\n  steps:\n    - create:\n        - kind: Job\n          b: 1\n        - kind: Pod\n          a▮\n        - kind: Node',
      ['Scenario', 'Pod'],
    ],
    [
      'of the first item',
      'kind: Scenario\nspec:\n  steps:\n    - create:\n        - kind: Job\n          b▮\n        - kind: Pod',
      ['Scenario', 'Job'],
    ],
    ['of the object in braces', 'kind: Scenario\nspec:\n  steps:\n    - apply: { kind: Job, spec: { a▮', ['Scenario', 'Job']],
    ['of the object in braces over lines', 'kind: Scenario\nsteps:\n  - match: { kind: Job,\n      spec: { a▮', ['Scenario', 'Job']],
    [
      'of the item in braces',
      'kind: Scenario\nsteps:\n  - replace: [{ kind: Job }, { kind: Pod, a▮ }, { kind: Node }]',
      ['Scenario', 'Pod'],
    ],
    [
      'of the item in braces below',
      'kind: Scenario\nsteps:\n  - apply:\n      - { kind: Job, a▮ }\n      - { kind: Pod }',
      ['Scenario', 'Job'],
    ],
    [
      'of the object, not of what it names',
      'kind: Scenario\nsteps:\n  - apply: { ref: { kind: Pod }, a▮, kind: Job }',
      ['Scenario', 'Job'],
    ],
    ['of no object where the braces have ended', 'kind: Scenario\nsteps:\n  - apply: { kind: Job }\n    a▮', ['Scenario', 'Scenario']],
    ['of no object where the block has ended', 'kind: Scenario\nsteps:\n  - apply:\n      kind: Job\n    a▮', ['Scenario', 'Scenario']],
    ['of no object yet', 'kind: Scenario\nsteps:\n  - apply:\n      a▮', ['Scenario', 'Scenario']],
    ['of manifests', 'kind: Scenario\nmanifests:\n  - kind: Job\n    a▮', ['Scenario', 'Job']],
    ['in quotes with a brace', `kind: Scenario\nsteps:\n  - apply: { note: "} {", kind: Job, a▮ }`, ['Scenario', 'Job']],
  ])('%s', (_, marked, expected) => {
    expect(kinds(marked)).toEqual(expected);
  });
});
