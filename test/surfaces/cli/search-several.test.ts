/** The results of searches of several scenarios: one text, list or JUnit document, and the worst exit code. */
import { describe, expect, it } from 'vitest';
import type { LoadedScenario } from '../../../src/surfaces/cli/load.ts';
import { printSearch, searchEach, type SearchResult } from '../../../src/surfaces/cli/search/several.ts';
import { storyDocument, storyLines } from '../../../src/surfaces/cli/search/report-lines.ts';
import { PLAIN } from '../../../src/surfaces/report/index.ts';
import { silentIo } from './cli.ts';
import { FOUND, STORY } from './searched.ts';

const loaded = (name: string): LoadedScenario => ({ scenario: { name }, file: `${name}.yaml`, flags: '--with x.ts' }) as never;
const held = { loaded: loaded('web'), code: 0, tookMs: 1_500, story: STORY };
const broke = {
  loaded: loaded('shop'),
  code: 1,
  tookMs: 20,
  story: { ...STORY, name: 'shop', findings: [{ ...FOUND, file: 'my found.yaml' }, FOUND] },
};
const unfit: SearchResult = { loaded: loaded('idle'), code: 1, unfit: 'it breaks without any choice', messages: ['a & b', 'c'] };

const listening = () => {
  const said: string[] = [];
  return { said, io: { ...silentIo('/'), out: (text: string) => void said.push(text) } };
};
const printed = (result: SearchResult, format: 'text' | 'json' | 'junit'): string => {
  const { said, io } = listening();
  printSearch(result, format, io);
  return said.join('');
};
const xml = (tests: number, failures: number, errors: number, file: string, body: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="orchsim" tests="${tests}" failures="${failures}" errors="${errors}">
  <testsuite name="${file}.yaml" tests="${tests}" failures="${failures}" errors="${errors}" time="TIME">
${body}
  </testsuite>
</testsuites>
`;
const inShort = (text: string): string => text.replaceAll(/time="[^"]*"/g, 'time="TIME"');

describe('a result', () => {
  it('is text as its story has it, and data; one that is unfit has printed itself', () => {
    expect(printed(held, 'text')).toBe(`${storyLines(STORY, PLAIN).join('\n')}\n`);
    expect(JSON.parse(printed(broke, 'json'))).toEqual(JSON.parse(JSON.stringify(storyDocument(broke.story as never, 1))));
    expect([printed(unfit, 'text'), printed(unfit, 'json')]).toEqual(['', '']);
  });

  it('is a case of JUnit, with a failure for each finding and the commands that show them', () => {
    const of = (name: string, file: string, ...body: readonly string[]): string =>
      [`    <testcase name="${name}" classname="${file}.yaml" time="TIME">`, ...body, '    </testcase>'].join('\n');
    const story = ({ story: told }: Extract<SearchResult, { story: unknown }>): string =>
      `      <system-out>${storyLines(told, PLAIN).join('\n')}</system-out>`;
    expect(inShort(printed(held, 'junit'))).toBe(xml(1, 0, 0, 'web', of('search web', 'web', story(held))));
    const finding = (shown: string): string => `      <failure type="finding" message="job/x">it broke\ntwice${shown}</failure>`;
    const again = "\nsee it again: npx orchsim run 'my found.yaml' --with x.ts";
    expect(inShort(printed(broke, 'junit'))).toBe(
      xml(1, 1, 0, 'shop', of('search shop', 'shop', finding(again), finding(''), story(broke))),
    );
    expect(inShort(printed(unfit, 'junit'))).toBe(
      xml(
        1,
        0,
        1,
        'idle',
        of(
          'idle',
          'idle',
          '      <error type="unreadable" message="it breaks without any choice">it breaks without any choice\na &amp; b\nc</error>',
        ),
      ),
    );
  });
});

describe('several searches', () => {
  const each = async (results: readonly SearchResult[], format: 'text' | 'json' | 'junit') => {
    const { said, io } = listening();
    const searched: string[] = [];
    const code = await searchEach(
      results.map((result) => result.loaded),
      format,
      io,
      async (one, present) => {
        const result = results.find((any) => any.loaded === one);
        if (result === undefined) throw new Error('no result');
        searched.push(one.scenario.name);
        present(result);
        return result.code;
      },
    );
    return { code, said: said.join(''), searched };
  };

  it('print each as it ends, or one document', async () => {
    expect(await each([held, broke, unfit, held], 'text')).toEqual({
      code: 1,
      said: [held, broke, held].map((result) => printed(result, 'text')).join(''),
      searched: ['web', 'shop', 'idle', 'web'],
    });
    const json = await each([held, unfit], 'json');
    expect([json.code, JSON.parse(json.said)]).toEqual([
      1,
      [
        JSON.parse(printed(held, 'json')),
        { exitCode: 1, scenario: 'idle', runs: 0, unfit: 'it breaks without any choice', messages: ['a & b', 'c'] },
      ],
    ]);
    const junit = await each([held, broke, unfit], 'junit');
    expect(junit.said.match(/<testsuites[^>]*>|<testsuite name="\w+/g)).toEqual([
      '<testsuites name="orchsim" tests="3" failures="1" errors="1">',
      '<testsuite name="web',
      '<testsuite name="shop',
      '<testsuite name="idle',
    ]);
    expect(await each([], 'json')).toEqual({ code: 0, said: '[]\n', searched: [] });
  });

  it('end with one that is interrupted, and with its code', async () => {
    const interrupted: SearchResult = { ...held, loaded: loaded('late'), code: 130 };
    expect(await each([broke, interrupted, held], 'text')).toMatchObject({ code: 130, searched: ['shop', 'late'] });
    expect(await each([held, { ...held, loaded: loaded('b') }], 'text')).toMatchObject({ code: 0 });
  });
});
