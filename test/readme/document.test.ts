import { describe, expect, it } from 'vitest';
import { commandsOf, filesOf, masked, tablesOf, withTables, withTexts } from './document.ts';
import { filtered, pipelineOf, wordsOf } from './shell.ts';

const DOCUMENT = [
  '# Title',
  '',
  '```sh',
  'npm ci && npm start   # both',
  'npx orchsim run a.yaml | head -1',
  '```',
  '```text',
  'old',
  '```',
  '',
  '```yaml',
  '# a.yaml',
  'kind: Scenario',
  '```',
  '',
  'Words between.',
  '',
  '```text',
  'no output',
  '```',
  '',
  '<!-- table: things -->',
  '| stale |',
  '<!-- end -->',
  '',
].join('\n');

describe('a document', () => {
  it('gives its commands, and to the last of a block its output', () => {
    expect(commandsOf(DOCUMENT).map(({ text, line, output }) => [text, line, output?.text])).toEqual([
      ['npm ci', 4, undefined],
      ['npm start', 4, undefined],
      ['npx orchsim run a.yaml | head -1', 5, 'old\n'],
    ]);
  });

  it('gives the files it holds', () => {
    expect(filesOf(DOCUMENT)).toEqual([{ name: 'a.yaml', text: '# a.yaml\nkind: Scenario\n' }]);
  });

  it('takes other outputs and tables', () => {
    const [, , last] = commandsOf(DOCUMENT);
    const output = last?.output;
    if (output === undefined) throw new Error('no output');
    const reported = withTables(withTexts(DOCUMENT, new Map([[output, 'new\nlines\n']])), { things: () => '| fresh |\n' });
    expect(reported).toContain('```text\nnew\nlines\n```\n\n```yaml');
    expect(tablesOf(reported)).toEqual(new Map([['things', '| fresh |\n']]));
  });
});

describe('an output', () => {
  it('is compared without what changes with every version', () => {
    const one = '   0.000s  #7     job   pi-5bl54  create Pod  rv 42\n  69 writes · seed 1 · digest 367231de269fc968';
    const other = '   0.000s  #12    job   pi-x7k2q  create Pod  rv 1042\n  71 writes · seed 1 · digest 0000000000000000';
    expect(masked(one)).toBe(masked(other));
    expect(masked(one)).not.toBe(masked(other.replace('0.000s', '0.500s')));
    expect(masked(one)).not.toBe(masked(other.replace('create Pod', 'delete Pod')));
  });

  it('goes through the filters of its command', () => {
    expect(pipelineOf("npx orchsim run a | grep ' job ' | head -2")).toEqual({
      command: 'npx orchsim run a',
      filters: ["grep ' job '", 'head -2'],
    });
    expect(filtered('a job x\nb\nc job y\nd job z\n', ["grep ' job '", 'head -2'])).toBe('a job x\nc job y\n');
    expect(filtered('a\nb\n', ['tail -1'])).toBe('b\n');
    expect(() => filtered('a\n', ['awk x'])).toThrow('head, tail and grep');
  });

  it('comes from words as a shell reads them', () => {
    expect(wordsOf(`walk a.yaml --script 'next; why' --at "#3"`)).toEqual(['walk', 'a.yaml', '--script', 'next; why', '--at', '#3']);
  });
});
