/** A topic of the guide on a terminal: each kind of block, wide and narrow; and the overview. */
import { expect, it } from 'vitest';
import { overview, rendered } from '../../../src/surfaces/cli/help/render.ts';
import { parseMarkdown } from '../../../src/surfaces/guide/markdown.ts';
import { MARKED } from '../report/samples.ts';

const TOPIC = `# A heading
<!-- unseen -->

A [link](a.md) in a paragraph that is long enough to be wrapped.
- **one** item
- another item, which is longer than the others

| name | says | does | and |
| --- | --- | --- | --- |
| a | b \\| c | d | the last column is the widest of all |
| longer | | e | f |

| two | columns |
| --- | --- |
| x | y |

\`\`\`sh
orchsim run a.yaml   # runs it
orchsim why Job/pi a.yaml # why
ls
\`\`\`

\`\`\`yaml
a: 1

# orchsim run
\`\`\`
`;
const blocks = parseMarkdown(TOPIC);
const COMMANDS = [
  '    <accent>orchsim run a.yaml</accent>          <dim># runs it</dim>',
  '    <accent>orchsim why Job/pi a.yaml</accent>   <dim># why</dim>',
  '    <accent>ls</accent>',
  '',
  '    a: 1',
  '',
  '    # orchsim run',
];

it('blocks are lines, with commands in colour and notes side by side', () => {
  expect(rendered(blocks, { columns: 200, palette: MARKED })).toEqual([
    '<strong>A heading</strong>',
    '',
    'A link in a paragraph that is long enough to be wrapped.',
    '',
    '- one item',
    '- another item, which is longer than the others',
    '',
    '    NAME     SAYS    DOES   AND',
    '    a        b | c   d      the last column is the widest of all',
    '    longer           e      f',
    '',
    '    x   y',
    '',
    ...COMMANDS,
  ]);
});

it('lines wrap within their block, and what no room is left for goes below', () => {
  expect(rendered(blocks, { columns: 40, palette: MARKED })).toEqual([
    '<strong>A heading</strong>',
    '',
    'A link in a paragraph that is long',
    'enough to be wrapped.',
    '',
    '- one item',
    '- another item, which is longer than the',
    '  others',
    '',
    '    NAME     SAYS    DOES',
    '        AND',
    '    a        b | c   d',
    '        the last column is the widest of all',
    '    longer           e',
    '        f',
    '',
    '    x',
    '        y',
    '',
    ...COMMANDS,
  ]);
  // Forty characters are room enough beside the names.
  const [table] = blocks.filter(({ is }) => is === 'table');
  const tableOf = (columns: number) => (table === undefined ? [] : rendered([table], { columns, palette: MARKED }));
  expect(tableOf(67).slice(2, 4)).toEqual(['    a        b | c   d', '        the last column is the widest of all']);
  expect(tableOf(68)).toEqual([
    '    NAME     SAYS    DOES   AND',
    '    a        b | c   d      the last column is the widest of all',
    '    longer           e      f',
  ]);
});

it('the overview has commands, topics and exit codes', () => {
  const load = () => Promise.reject(new Error('nothing is loaded'));
  const commands = [
    { name: 'run', takes: 'PATH…', summary: 'runs', load },
    { name: 'check-determinism', takes: '', summary: 'compares', load },
  ];
  const text = (columns: number, terminal: boolean) => overview(commands, { palette: MARKED, columns, terminal }).split('\n');
  const whole = text(100, false);
  expect(whole.slice(0, 10)).toEqual([
    '<strong>orchsim</strong>: Kubernetes v1.24 behaviour in one process: deterministic, in virtual time, with fault search',
    '',
    'usage: orchsim COMMAND …   <dim>(orchsim COMMAND --help shows what it takes)</dim>',
    '',
    '  run                <dim>PATH…</dim>  runs',
    '  check-determinism  <dim></dim>       compares',
    '',
    'the guide: orchsim help TOPIC',
    '',
    '  scenarios           what a scenario file contains, and how it is run',
  ]);
  expect(whole.slice(-3)).toEqual([
    '',
    'exit codes: 0 held · 1 something broke · 2 bad input · 3 did not settle · 4 two runs of one seed differed · 70 internal · 130 interrupted',
    '',
  ]);
  // On a terminal what is too long goes on below.
  expect(text(60, true).slice(4, 6)).toEqual(['usage: orchsim COMMAND …   <dim>(orchsim COMMAND --help', '    shows what it takes)</dim>']);
});
