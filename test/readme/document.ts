/**
 * A document whose examples run. Blocks of `sh` hold commands, and a block of `text` on the line after one holds what its last command
 * printed. A block of `yaml` or `js` that begins with `# NAME` or `// NAME` is a file that the commands find. Tables and lists stand
 * between `<!-- table: NAME -->` and `<!-- end -->`, and are made from the registries.
 */

export interface Block {
  readonly language: string;
  readonly text: string;
  /** Of the line that opens it, from 1. */
  readonly line: number;
  /** Offsets of the text. */
  readonly from: number;
  readonly to: number;
}

const FENCE = /^```(\w*)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a document. */
export function blocksOf(document: string): readonly Block[] {
  return [...document.matchAll(FENCE)].map((match) => {
    const [, language = '', text = ''] = match;
    const from = match.index + match[0].indexOf('\n') + 1;
    return { language, text, line: document.slice(0, match.index).split('\n').length, from, to: from + text.length };
  });
}

export interface Command {
  readonly text: string;
  readonly line: number;
  /** What the document says it prints. */
  readonly output: Block | undefined;
}

/** Every command of a document in order; the ones of a line with `&&` one by one, comments left out. */
export function commandsOf(document: string): readonly Command[] {
  const blocks = blocksOf(document);
  return blocks.flatMap((block, at) => {
    if (block.language !== 'sh') return [];
    const after = blocks[at + 1];
    const output = after?.language === 'text' && document.slice(block.to, after.from) === '```\n```text\n' ? after : undefined;
    const texts = block.text
      .split('\n')
      .flatMap((text, offset) =>
        text
          .replace(/\s+#\s.*$/, '')
          .split(' && ')
          .map((one) => ({ text: one.trim(), line: block.line + 1 + offset })),
      )
      .filter(({ text }) => text !== '');
    return texts.map((one, index) => ({ ...one, output: index === texts.length - 1 ? output : undefined }));
  });
}

/** The files that a document holds. */
export const filesOf = (document: string): readonly { readonly name: string; readonly text: string }[] =>
  blocksOf(document).flatMap((block) => {
    const name = block.language === 'yaml' || block.language === 'js' ? /^(?:#|\/\/) (\S+)\n/.exec(block.text)?.[1] : undefined;
    return name === undefined ? [] : [{ name, text: block.text }];
  });

const TABLE = /(<!-- table: ([\w-]+) -->\n)([\s\S]*?)(<!-- end -->)/g;

/** Names of the tables in a document, with what stands in them. */
export const tablesOf = (document: string): ReadonlyMap<string, string> =>
  new Map([...document.matchAll(TABLE)].map(([, , name = '', text = '']) => [name, text]));

/** The document with other tables. */
export const withTables = (document: string, tables: Readonly<Record<string, () => string>>): string =>
  document.replace(TABLE, (whole, head: string, name: string, _text, end: string) => {
    const make = tables[name];
    return make === undefined ? whole : `${head}${make()}${end}`;
  });

/** The document with other texts in some blocks. */
export const withTexts = (document: string, texts: ReadonlyMap<Block, string>): string =>
  [...texts]
    .sort(([a], [b]) => b.from - a.from)
    .reduce((text, [block, is]) => text.slice(0, block.from) + is + text.slice(block.to), document);

/**
 * What two runs of two versions of the code may say differently without anybody having to read the document again: fingerprints, revisions,
 * step numbers, drawn names, counts, and how columns are aligned to them.
 */
export const masked = (output: string): string =>
  output
    .replace(/[ \t]+/g, ' ')
    .replace(/ $/gm, '')
    .replace(/digest [0-9a-f]{16}/g, 'digest …')
    .replace(/\brv \d+/g, 'rv …')
    .replace(/#\d+/g, '#…')
    .replace(/\b([a-z0-9-]+)-[bcdfghjklmnpqrstvwxz2456789]{5}\b/g, '$1-…')
    .replace(/\b[\d,]+ (?=(?:of \d+ )?(?:writes?|decisions?|times?|entries|steps|scenarios?|invariants?|earlier causes?|more)\b)/g, '… ')
    .replace(/\bscores \d+/g, 'scores …')
    .replace(/[\dhm]+\.\d{3}s of virtual time/g, '… of virtual time');
