/** The guide in parts: its Markdown, its files and insertions, and how a terminal shows it. */
import { describe, expect, it } from 'vitest';
import { NO_DEFINITIONS } from '../../../src/lab/definitions/index.ts';
import { fileIn, parseMarkdown, topicFrom, type Block } from '../../../src/surfaces/guide/index.ts';
import { filled, insertions } from '../../../src/surfaces/cli/help/insertions.ts';
import { overview, rendered } from '../../../src/surfaces/cli/help/render.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { MARKED } from '../report/samples.ts';
import { cli, ROOT } from './cli.ts';

describe('a text', () => {
  it('is read as headings, paragraphs, lists, code and tables, in order', () => {
    const text = `# A [topic](a.md)

It has \`code\`, [a link](https://example.com) and **stress**.
<!-- not this -->
<!-- end -->
- one
- [two](b.md)
Next.
\`\`\`sh
orchsim run # it runs

- no item
| no table
\`\`\`
\`\`\`
plain
\`\`\`
| name | of \`a\\|b\` |
| --- | --- |
|  [x](y)  | 1 |
|| |
## Last`;
    expect(parseMarkdown(text)).toEqual([
      { is: 'heading', text: 'A topic' },
      { is: 'paragraph', text: 'It has `code`, a link and **stress**.' },
      { is: 'list', items: ['one', 'two'] },
      { is: 'paragraph', text: 'Next.' },
      { is: 'code', language: 'sh', text: 'orchsim run # it runs\n\n- no item\n| no table' },
      { is: 'code', language: '', text: 'plain' },
      {
        is: 'table',
        head: ['name', 'of `a|b`'],
        rows: [
          ['x', '1'],
          ['', ''],
        ],
      },
      { is: 'heading', text: 'Last' },
    ]);
    expect(parseMarkdown('')).toEqual([]);
    expect(parseMarkdown('-no item\n#no heading\n``` no code\na | b')).toEqual(
      ['-no item', '#no heading', '``` no code', 'a | b'].map((each) => ({ is: 'paragraph', text: each })),
    );
    expect(parseMarkdown('```ts\nnever closed')).toEqual([{ is: 'code', language: 'ts', text: 'never closed' }]);
  });

  it('of a topic has a summary, and files by their first comment', () => {
    const topic = topicFrom(
      'time',
      '# Time\n\nIt is virtual.\n\n```yaml\n# a.yaml\nkind: A\n```\n```ts\n// b.ts\nlet b;\n\nb = 1;\n```\n```sh\n#a.yaml\n```\n',
    );
    expect([topic.name, topic.summary]).toEqual(['time', 'It is virtual.']);
    expect(['a.yaml', 'b.ts', 'c.ts'].map((name) => fileIn(topic, name))).toEqual(['kind: A\n', 'let b;\n\nb = 1;\n', '']);
    expect(topicFrom('x', 'no heading')).toEqual({ name: 'x', summary: '', text: '' });
  });

  it('has its generated parts, and keeps the mark of an unknown one', () => {
    const marked = (name: string): string => `a\n<!-- table: ${name} -->\nold\n<!-- end -->\nb`;
    expect(filled(marked('nothing'), NO_DEFINITIONS)).toBe(marked('nothing'));
    expect(filled(`${marked('step-verbs')}${marked('nothing')}`, NO_DEFINITIONS)).toBe(
      `${marked('step-verbs').replace('old\n', insertions['step-verbs']?.(NO_DEFINITIONS) ?? '')}${marked('nothing')}`,
    );
    expect(insertions['step-verbs']?.(NO_DEFINITIONS).split('\n')).toEqual([
      '- A step starts with one of `at`, `after`, `when`.',
      expect.stringMatching(/^- It does at most one of `apply`, `create`, .*`fault`/),
      '',
    ]);
    const course = insertions['course']?.(NO_DEFINITIONS).split('\n') ?? [];
    expect(course[0]).toMatch(/^A course of \d+ lessons is included\./);
    expect(course.slice(2, 5)).toEqual(['| lesson | title |', '| --- | --- |', expect.stringMatching(/^\| 01-[a-z-]+ \| [A-Z].* \|$/)]);
    expect(course.slice(-4)).toEqual(['```sh', `npx orchsim walk ${ROOT}/scenarios/lessons/${course[4]?.split(' ')[1]}.yaml`, '```', '']);
    expect(insertions['faults']?.(NO_DEFINITIONS)).toContain('\n| lag | by, [for], [kinds]');
    const exits = insertions['exit-codes']?.(NO_DEFINITIONS).split('\n') ?? [];
    expect([exits[0], exits.length]).toEqual(['| code | meaning |', 10]);
  });
});

describe('a terminal', () => {
  const shown = (blocks: readonly Block[], columns: number, palette = PLAIN): readonly string[] => rendered(blocks, { columns, palette });

  it('shows blocks with empty lines between them, within its width', () => {
    const blocks: readonly Block[] = [
      { is: 'heading', text: 'One' },
      { is: 'paragraph', text: 'some words that go on' },
      { is: 'list', items: ['**bold** words that go on', 'b'] },
      { is: 'code', language: 'yaml', text: 'a: 1\n\n  b: 2' },
      { is: 'code', language: 'sh', text: 'run   # it runs\nwalk a.yaml  # it walks\nlong without a note' },
    ];
    expect(shown(blocks, 14, MARKED)).toEqual([
      '<strong>One</strong>',
      '',
      'some words',
      'that go on',
      '',
      '- bold words',
      '  that go on',
      '- b',
      '',
      '    a: 1',
      '',
      '      b: 2',
      '',
      '    <accent>run</accent>           <dim># it runs</dim>',
      '    <accent>walk a.yaml</accent>   <dim># it walks</dim>',
      '    <accent>long without a note</accent>',
    ]);
    expect(shown([], 80)).toEqual([]);
  });

  it('shows tables in columns, or the text below the names where it is narrow', () => {
    const two: Block = {
      is: 'table',
      head: ['name', 'does'],
      rows: [
        ['a', 'it does one thing and another thing and a third'],
        ['longer', 'b'],
      ],
    };
    expect(shown([two], 53)).toEqual(['    a        it does one thing and another thing and', '             a third', '    longer   b']);
    expect(shown([two], 52)).toEqual([
      '    a',
      '        it does one thing and another thing and a',
      '        third',
      '    longer',
      '        b',
    ]);
    const four: Block = { is: 'table', head: ['a', 'b', 'c', 'd'], rows: [['1', '22', '3', '4']] };
    expect(shown([four], 100)).toEqual(['    A   B    C   D', '    1   22   3   4']);
  });

  it('lists commands, topics and exit codes', () => {
    const commands = [
      { name: 'run', takes: 'PATH…', summary: 'runs it' },
      { name: 'walk', takes: '', summary: 'walks' },
    ] as never;
    const lines = overview(commands, { columns: 80, palette: PLAIN, terminal: false }).split('\n');
    expect(lines.slice(0, 7)).toEqual([
      'orchsim: Kubernetes v1.24 behaviour in one process: deterministic, in virtual time, with fault search',
      '',
      'usage: orchsim COMMAND …   (orchsim COMMAND --help shows what it takes)',
      '',
      '  run   PATH…  runs it',
      '  walk         walks',
      '',
    ]);
    expect(lines.slice(7, 9)).toEqual(['the guide: orchsim help TOPIC', '']);
    expect(lines.at(-2)).toMatch(/^exit codes: 0 .* · 1 .* · 2 /);
    const narrow = overview(commands, { columns: 60, palette: PLAIN, terminal: true }).split('\n');
    expect(narrow.every((line) => line.length <= 60)).toBe(true);
  });
});

describe('help', () => {
  it('refers from a topic to its command and to its example file, and takes the words of a name', async () => {
    const { code, out, err } = await cli(['help', 'known', 'bug']);
    expect([code, err, out.split(': ')[0]]).toEqual([0, '', 'known-bugs']);
    const kinds = (await cli(['help', 'kinds'])).out;
    expect(kinds.endsWith('\n(the command of that name: orchsim kinds --help)\n')).toBe(true);
    const scenarios = (await cli(['help', 'scenarios'])).out;
    expect(scenarios).not.toContain('(retry.yaml: orchsim help scenarios)');
    expect((await cli(['help', 'faults'])).out).toMatch(
      /\n\n\(retry\.yaml: orchsim help scenarios\)\n\(the command of that name: orchsim faults --help\)\n$/,
    );
    expect((await cli(['help', 'time'])).out).not.toContain('(the command of that name');
    expect(await cli(['help', 'scenaros'])).toEqual({
      code: 2,
      out: '',
      err: 'help: there is no topic "scenaros"; did you mean "scenarios"? (orchsim help lists them)\n',
    });
    // Without a topic of the name it is the command.
    expect((await cli(['help', 'diff'])).out).toBe((await cli(['diff', '--help'])).out);
    expect((await cli(['help', 'diff', 'x'])).code).toBe(2);
  });
});
