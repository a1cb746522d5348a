/** The help for a terminal: a topic of the guide, and the overview of commands and topics. */
import { type Block, guideTopics } from '../../guide/index.ts';
import { wrapLine, fittedTable } from '../../report/index.ts';
import type { CommandEntry } from '../command.ts';
import { type Io, fitted } from '../io.ts';
import { EXIT, EXIT_MEANS } from '../exit.ts';

/** Returns the lines, wrapped at the width of the terminal. Empty lines separate blocks. */
export const rendered = (blocks: readonly Block[], io: Pick<Io, 'columns' | 'palette'>): readonly string[] =>
  blocks.flatMap((block, at) => [...(at === 0 ? [] : ['']), ...linesOf(block, io)]);

function linesOf(block: Block, { columns, palette }: Pick<Io, 'columns' | 'palette'>): readonly string[] {
  switch (block.is) {
    case 'heading':
      return wrapLine(palette.strong(block.text), columns);
    case 'paragraph':
      return wrapLine(block.text, columns, '');
    case 'list':
      return block.items.flatMap((item) => wrapLine(`- ${item.replaceAll('**', '')}`, columns, '  '));
    case 'table':
      // Two or three columns explain themselves.
      return tableLines(block.head.length > 3 ? [block.head.map((name) => name.toUpperCase()), ...block.rows] : block.rows, columns);
    case 'code':
      return block.language === 'sh' ? commandLines(block.text, palette) : block.text.split('\n').map(indented);
  }
}

function commandLines(text: string, palette: Io['palette']): readonly string[] {
  const lines = text.split('\n').map((line) => {
    const [, command = line, note] = /^(.*?) +(# .*)$/.exec(line) ?? [];
    return { command, note };
  });
  const longest = Math.max(0, ...lines.map(({ command, note }) => (note === undefined ? 0 : command.length)));
  return lines.map(({ command, note }) =>
    note === undefined
      ? indented(palette.accent(command))
      : `${indented(palette.accent(command))}${' '.repeat(longest - command.length)}   ${palette.dim(note)}`,
  );
}

const indented = (line: string): string => (line === '' ? '' : INDENT + line);

/** Rows of at most `columns` characters: the last column wraps within itself. */
function tableLines(cells: readonly (readonly string[])[], columns: number): readonly string[] {
  const widths = [0];
  for (const row of cells) for (const [at, cell] of row.slice(0, -1).entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  const hang = ' '.repeat(widths.reduce((sum, width) => sum + width + GAP.length, INDENT.length));
  // If little space is left beside the names, the text goes below them.
  const below = columns - hang.length < NARROW;
  return cells.flatMap((row) => {
    const names = `${INDENT}${row
      .slice(0, -1)
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join(GAP)}`;
    const start = below ? INDENT + INDENT : hang;
    const [first = '', ...others] = wrapLine(row.at(-1) ?? '', Math.max(columns - start.length, NARROW)).map(
      (line) => start + line.trimStart(),
    );
    return below ? [names.trimEnd(), first, ...others] : [names + GAP + first.trimStart(), ...others];
  });
}

const INDENT = '    ';
const GAP = '   ';
const NARROW = 40;

/** The text of `orchsim`, `orchsim --help` and `orchsim help`: commands, topics, exit codes. */
export function overview(commands: readonly CommandEntry[], io: Pick<Io, 'palette' | 'columns' | 'terminal'>): string {
  const { palette, columns, terminal } = io;
  const rows = (cells: readonly (readonly string[])[]): readonly string[] =>
    fittedTable([(cells[0] ?? []).map(() => ''), ...cells], '  ', terminal ? columns : Infinity).slice(1);
  const codes = Object.keys(EXIT) as readonly (keyof typeof EXIT)[];
  const lines = [
    `${palette.strong('orchsim')}: Kubernetes v1.24 behaviour in one process: deterministic, in virtual time, with fault search`,
    '',
    `usage: orchsim COMMAND …   ${palette.dim('(orchsim COMMAND --help shows what it takes)')}`,
    '',
    ...rows(commands.map(({ name, takes, summary }) => [`  ${name}`, palette.dim(takes), summary])),
    '',
    `the guide: orchsim help TOPIC`,
    '',
    ...rows(guideTopics.map(({ name, summary }) => [`  ${name}`, summary])),
    '',
    `exit codes: ${codes.map((name) => `${EXIT[name]} ${EXIT_MEANS[name]}`).join(' · ')}`,
  ];
  return fitted(lines, io);
}
