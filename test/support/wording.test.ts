import { describe, expect, it } from 'vitest';
import { clipped } from './golden.ts';
import { inWords, marked, readWording, structureOf, templateOf, updatedWording, writtenWording } from './wording.ts';

const text = (...sentences: readonly string[]): string => sentences.map((each, at) => `${at}s job ${marked(each)}`).join('\n');
const BEFORE = text('Created pod: web-5bl54', '2 active: nothing to do', 'Created pod: web-xjqbj');
const wording = updatedWording(new Map(), [{ before: undefined, now: BEFORE }], true);
const structure = structureOf(wording)(BEFORE);

describe('the wording of golden texts', () => {
  it('has each sentence once, and gives them back', () => {
    expect(writtenWording(wording)).toBe('active-nothing-to-do: {} active: nothing to do\ncreated-pod: Created pod: {}\n');
    expect(readWording(writtenWording(wording))).toEqual(wording);
    expect(structure).toBe('0s job ⟨created-pod web-5bl54⟩\n1s job ⟨active-nothing-to-do 2⟩\n2s job ⟨created-pod web-xjqbj⟩');
    expect(inWords(wording, structure)).toBe(BEFORE.replaceAll(/[⟨⟩]/g, ''));
  });

  it('leaves out numbers, paths, braces and generated names, and keeps words', () => {
    expect(templateOf('default/web: 3 of web-0, web-xjqbj and {} are well-known')).toBe('{}: {} of {}, {} and {} are well-known');
  });

  it('changes alone when words change', () => {
    const now = BEFORE.replaceAll('Created pod', 'Made the pod').replace('nothing to do', 'it rests');
    const updated = updatedWording(wording, [{ before: structure, now }], true);
    expect(structureOf(updated)(now)).toBe(structure);
    expect(writtenWording(updated)).toBe('active-nothing-to-do: {} active: it rests\ncreated-pod: Made the pod: {}\n');
  });

  it('keeps the ids of sentences that are still used, and shows what has none', () => {
    const now = BEFORE.replace('Created pod: web-5bl54', 'Deleted pod: web-5bl54');
    expect(structureOf(wording)(now)).toContain('⟨Deleted pod: web-5bl54⟩\n');
    const updated = updatedWording(wording, [{ before: structure, now }], true);
    expect(structureOf(updated)(now)).toBe(structure.replace('created-pod web-5bl54', 'deleted-pod web-5bl54'));
  });

  it('forgets a sentence that no text has, but not in a run of some texts', () => {
    const now = text('2 active: nothing to do');
    expect([...updatedWording(wording, [{ before: structure, now }], true).keys()]).toEqual(['active-nothing-to-do']);
    expect(updatedWording(wording, [{ before: structure, now }], false)).toEqual(wording);
  });
});

it('a long golden text ends with a fingerprint of its structure', () => {
  const long = (last: string): string => ['a (seed 1)', '', ...Array.from({ length: 410 }, () => 'line'), last, '', 'held', ''].join('\n');
  expect(clipped(long('x')).split('\n').slice(401)).toEqual([
    'line',
    expect.stringMatching(/^ {2}… 11 more lines \([\da-f]{16}\)$/),
    '',
    'held',
    '',
  ]);
  expect(clipped(long('x'))).not.toBe(clipped(long('y')));
  expect(clipped('a (seed 1)\n\nline\n\nheld\n')).toBe('a (seed 1)\n\nline\n\nheld\n');
});
