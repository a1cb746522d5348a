/**
 * Sentences of golden texts, apart from their structure. A golden text refers to a sentence by an id and gives its changing parts
 * (`⟨created-pod web-5bl54⟩`); `test/golden/wording.txt` has each sentence once (`created-pod: Created pod: {}`). So a changed sentence
 * changes one file. An id is made of the first words of a sentence, and stays when its words change.
 */

/** Around a sentence in a golden text. */
const MARKED = /⟨([^⟩]*)⟩/g;
/** What changes in a sentence: numbers, names with digits or with the suffix of a generated name, and paths. */
const CHANGING = /[^\s,:;()"'=]*(?:[\d/]|-[b-df-hj-np-tv-xz]{5}(?![a-z]))[^\s,:;()"'=]*|\{\}/g;

export const marked = (sentence: string): string => `⟨${sentence}⟩`;

/** The sentence with `{}` for each part that changes. */
export const templateOf = (sentence: string): string => sentence.replaceAll(CHANGING, '{}');

/** Sentences by id. */
export type Wording = ReadonlyMap<string, string>;

/** Reads `wording.txt`. */
export const readWording = (text: string): Wording =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)]),
  );

/** The text of `wording.txt`. */
export const writtenWording = (wording: Wording): string =>
  [...wording]
    .map(([id, sentence]) => `${id}: ${sentence}\n`)
    .sort()
    .join('');

/** Returns the templates of a text's sentences, in order. */
export const templatesIn = (text: string): readonly string[] => [...text.matchAll(MARKED)].map(([, sentence = '']) => templateOf(sentence));

/** Returns a text with ids in place of sentences; a sentence that has no id stays as it is. */
export function structureOf(wording: Wording): (text: string) => string {
  const ids = new Map([...wording].map(([id, sentence]) => [sentence, id]));
  return (text) =>
    text.replaceAll(MARKED, (whole, sentence: string) => {
      const id = ids.get(templateOf(sentence));
      return id === undefined ? whole : marked([id, ...(sentence.match(CHANGING) ?? [])].join(' '));
    });
}

/** Returns a structure with its sentences, for people. */
export const inWords = (wording: Wording, structure: string): string =>
  structure.replaceAll(MARKED, (whole, reference: string) => {
    const [id = '', ...parts] = reference.split(' ');
    return wording.get(id)?.replaceAll('{}', () => parts.shift() ?? '{}') ?? whole;
  });

/** A golden text as it was recorded (its structure; undefined: never), and as it is now (in words). */
export interface Change {
  readonly before: string | undefined;
  readonly now: string;
}

/**
 * Returns the wording after a change. A new sentence gets the id of the one that stood in its place, if that is gone; so a change of words
 * changes no structure. `whole`: all golden texts are given, so sentences that none of them has can go.
 */
export function updatedWording(wording: Wording, changes: readonly Change[], whole: boolean): Wording {
  const used = new Set(changes.flatMap(({ now }) => templatesIn(now)));
  const updated = new Map(whole ? [...wording].filter(([, sentence]) => used.has(sentence)) : wording);
  const known = new Set(updated.values());
  const give = (id: string, sentence: string): void => {
    updated.set(id, sentence);
    known.add(sentence);
  };
  const taken = new Set<string>();
  for (const [id, sentence] of changes.flatMap(inPlaceOf)) {
    if (known.has(sentence) || taken.has(id) || used.has(wording.get(id) ?? sentence)) continue;
    taken.add(id);
    give(id, sentence);
  }
  for (const sentence of [...used].sort()) if (!known.has(sentence)) give(newId(sentence, updated), sentence);
  return updated;
}

/** Returns pairs of an id and the sentence that now stands in its place. */
function inPlaceOf({ before, now }: Change): readonly (readonly [id: string, sentence: string])[] {
  const [lines, old] = [now.split('\n'), before?.split('\n') ?? []];
  if (lines.length !== old.length) return [];
  return lines.flatMap((line, index) => {
    const sentences = templatesIn(line);
    const ids = [...(old[index] ?? '').matchAll(MARKED)].map(([, reference = '']) => reference.split(' ')[0] ?? '');
    return ids.length === sentences.length ? ids.map((id, at) => [id, sentences[at] ?? ''] as const) : [];
  });
}

/** An id of the first words, with a number where it is taken. */
function newId(sentence: string, taken: Wording): string {
  const words = sentence.toLowerCase().match(/[a-z]+/g) ?? ['empty'];
  const id = words.slice(0, 6).join('-');
  for (let number = 1; ; number++) {
    const numbered = number === 1 ? id : `${id}-${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}
