/** The part of Markdown that the guide uses: headings, paragraphs, lists, fenced code, tables. */

export interface Table {
  readonly is: 'table';
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export type Block =
  | { readonly is: 'heading'; readonly text: string }
  | { readonly is: 'paragraph'; readonly text: string }
  | { readonly is: 'list'; readonly items: readonly string[] }
  | { readonly is: 'code'; readonly language: string; readonly text: string }
  | Table;

/** Returns the blocks of a text, in order. HTML comments are skipped; a link becomes its text; inline code keeps its backticks. */
export function parseMarkdown(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  for (let at = 0; at < lines.length;) {
    const from = at;
    const line = lines[at] ?? '';
    const language = /^```(\w*)$/.exec(line)?.[1];
    if (language !== undefined) {
      at = endOf(lines, at + 1, (each) => each !== '```');
      blocks.push({ is: 'code', language, text: lines.slice(from + 1, at).join('\n') });
      at += 1;
    } else if (line.startsWith('|')) {
      at = endOf(lines, at, (each) => each.startsWith('|'));
      const [head = [], , ...rows] = lines.slice(from, at).map(cellsOf);
      blocks.push({ is: 'table', head, rows });
    } else if (line.startsWith('- ')) {
      at = endOf(lines, at, (each) => each.startsWith('- '));
      blocks.push({ is: 'list', items: lines.slice(from, at).map((each) => inline(each.slice('- '.length))) });
    } else {
      const heading = /^#+ (.*)$/.exec(line)?.[1];
      if (heading !== undefined) blocks.push({ is: 'heading', text: inline(heading) });
      else if (line !== '' && !line.startsWith('<!--')) blocks.push({ is: 'paragraph', text: inline(line) });
      at += 1;
    }
  }
  return blocks;
}

/** Returns the index of the first line from `at` on that does not belong to the block. */
function endOf(lines: readonly string[], at: number, belongs: (line: string) => boolean): number {
  let end = at;
  while (end < lines.length && belongs(lines[end] ?? '')) end += 1;
  return end;
}

const cellsOf = (line: string): readonly string[] =>
  line
    .slice(1, line.lastIndexOf('|'))
    .split(/(?<!\\)\|/)
    .map((cell) => inline(cell.trim().replaceAll(String.raw`\|`, '|')));

const inline = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');
