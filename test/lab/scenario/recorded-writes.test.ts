/** Recorded writes as lines of a text. */
import { describe, expect, it } from 'vitest';
import { formatRecorded, parseRecorded, type RecordedWrite } from '../../../src/lab/scenario/recorded-writes.ts';
import { messagesOf, scenarioOf, withSpec } from './vocabulary.ts';

const refused = (text: string) => {
  const found: [number, string][] = [];
  return { writes: parseRecorded(text, (nth, line) => found.push([nth, line])), found };
};

describe('writes', () => {
  const writes: readonly RecordedWrite[] = [
    { atMs: 0, of: 'Job default/pi', did: 'created' },
    { atMs: 1_500, of: 'Pod of Job default/pi', did: 'bound to node-0', by: 'scheduler' },
    { atMs: 90_000, of: 'Pod a', did: 'phase Running', by: 'node-0', log: 'audit.log:3' },
    { atMs: 90_000, of: 'Pod a', did: 'deleted', log: 'audit.log:4' },
  ];
  const text =
    '0s  Job default/pi  created\n1500ms  Pod of Job default/pi  bound to node-0  scheduler\n1m30s  Pod a  phase Running  node-0  audit.log:3\n1m30s  Pod a  deleted  ?  audit.log:4\n';

  it('are a line each, and read back', () => {
    expect(formatRecorded(writes)).toBe(text);
    expect(refused(text)).toEqual({ writes, found: [] });
    expect(formatRecorded([])).toBe('');
  });

  it('may be apart by tabs or more blanks; empty lines are none', () => {
    expect(refused('\n  1s\tPod a   created \n\n').writes).toEqual([{ atMs: 1_000, of: 'Pod a', did: 'created' }]);
  });

  it('have columns without what would end one', () => {
    const odd = (of: string) => formatRecorded([{ atMs: 0, of, did: 'created' }]);
    expect(['a  b', 'a\tb', 'a\nb', ' a', 'a ', 'a\u2028b', 'a\u0007b', 'a b'].map(odd)).toEqual([
      '0s  a b  created\n',
      '0s  a b  created\n',
      '0s  a b  created\n',
      '0s  a  created\n',
      '0s  a  created\n',
      '0s  a b  created\n',
      '0s  a b  created\n',
      '0s  a b  created\n',
    ]);
  });
});

describe('a line that is none', () => {
  it.each(['soon  Pod a  created', '1s  Pod a', '1s', '1s Pod a created', '1s  a  b  c  d  e'])('%s', (line) => {
    expect(refused(`1s  Pod a  created\n ${line} \n`)).toEqual({
      writes: [{ atMs: 1_000, of: 'Pod a', did: 'created' }],
      found: [[2, line]],
    });
  });

  it('is reported at its line of a file, twenty at most', () => {
    const recorded = (lines: readonly string[]) => withSpec(`recorded:\n  writes: |\n${lines.map((line) => `    ${line}`).join('\n')}`);
    const wanted = 'expected TIME  OBJECT  WHAT  AUTHOR  FILE:LINE, found';
    expect(messagesOf(recorded(['1s  Pod a  created', 'what', '', 'else']))).toEqual([
      `8:13: spec.recorded.writes: ${wanted} "what"`,
      `10:13: spec.recorded.writes: ${wanted} "else"`,
    ]);
    expect(messagesOf(recorded(Array.from({ length: 25 }, (_, nth) => `x${nth}`)))).toHaveLength(20);
    expect(messagesOf(withSpec('recorded: { writes: 7 }'))).toEqual([
      '5:23: spec.recorded.writes: expected lines of TIME  OBJECT  WHAT  AUTHOR  FILE:LINE, found 7',
    ]);
    expect(scenarioOf(recorded(['1s  Pod a  created'])).recorded).toEqual({
      writes: [{ atMs: 1_000, of: 'Pod a', did: 'created' }],
      source: { file: 'a.yaml', line: 6, col: 5 },
    });
  });
});
