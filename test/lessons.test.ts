/** The course of lessons: required parts of each, and that each can be walked from its first question to its end. */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { simulate } from '../src/lab/simulation/index.ts';
import { readScenarios } from '../src/surfaces/cli/load.ts';
import { openHistory } from '../src/surfaces/cli/question/history.ts';
import { createWalker } from '../src/surfaces/cli/walk/walker.ts';
import { PLAIN } from '../src/surfaces/report/index.ts';
import { cli, silentIo } from './surfaces/cli/cli.ts';

const root = resolve(import.meta.dirname, '..');
const folder = 'scenarios/lessons';
const files = readdirSync(resolve(root, folder)).sort((a, b) => (a < b ? -1 : 1));
const lessonOf = (file: string) => {
  const { scenarios, problems } = readScenarios([`${folder}/${file}`], { cwd: root });
  const [only] = scenarios;
  if (only === undefined) throw new Error(JSON.stringify(problems));
  return only.scenario;
};
const letterOf = (at: number): string => String.fromCharCode(97 + at);
const asked = new Map(
  files.map((file) => [
    file,
    simulate(lessonOf(file), { tries: false }).narrationSteps.flatMap(({ ask }) => (ask === undefined ? [] : [ask])),
  ]),
);

it('has sixteen lessons, numbered in order', () => {
  expect(files.map((file) => file.slice(0, 3))).toEqual(Array.from({ length: 16 }, (_, at) => `${String(at + 1).padStart(2, '0')}-`));
});

it('is listed by help, in that order, with the command for the first', async () => {
  const { out } = await cli(['help', 'lessons'], { columns: 100 });
  expect([...out.matchAll(/^ {4}(\d\d-\S+) +(\S.*)$/gm)].map(([, name, title]) => [`${name ?? ''}.yaml`, title])).toEqual(
    files.map((file) => [file, lessonOf(file).title]),
  );
  expect(out).toContain(`npx orchsim walk ${resolve(root, folder, files[0] ?? '')}`);
});

it('does not give away the answer by its position', () => {
  const right = [...asked.values()].flat().map(({ right: at }) => letterOf(at));
  for (const letter of ['a', 'b', 'c']) {
    const share = right.filter((each) => each === letter).length / right.length;
    expect(share, `${letter} in ${right.join('')}`).toBeGreaterThan(0.2);
    expect(share, `${letter} in ${right.join('')}`).toBeLessThan(0.5);
  }
});

describe.each(files)('%s', (file) => {
  it('asks at least three questions, and offers two what-ifs', () => {
    const { steps } = lessonOf(file);
    const questions = steps.flatMap(({ ask }) => (ask === undefined ? [] : [ask]));
    expect(questions.length).toBeGreaterThanOrEqual(3);
    expect(steps.flatMap(({ tries = [] }) => tries).length).toBeGreaterThanOrEqual(2);
    for (const { question, choices } of questions) {
      expect(question).toMatch(/\?|Look/);
      expect(new Set(choices.map(({ because }) => because)).size).toBe(choices.length);
    }
    expect(
      steps.filter(({ note, look }) => note !== undefined && look === undefined && !isAboutGone(note)).map(({ note }) => note),
    ).toEqual([]);
  });

  it('continues by answers: wrong ones get two reasons, right ones one', () => {
    const walker = createWalker(openHistory(`${folder}/${file}`, {}, silentIo(root)), { palette: PLAIN, save: (name) => name });
    const answers = asked.get(file) ?? [];
    let nth = 0;
    let shown = '';
    for (let turn = 0; turn < 60 && !shown.includes('everything held'); turn++) {
      shown = (walker.execute('next') ?? []).join('\n');
      const question = answers[nth];
      if (question === undefined || !shown.includes(`? ${question.question}`)) continue;
      const given = nth++ % 2 === 0 ? question.right : (question.right + 1) % question.choices.length;
      shown = (walker.execute(letterOf(given)) ?? []).join('\n');
      expect(shown).toContain(`✓ ${letterOf(question.right)}  ${question.choices[question.right]?.say ?? ''}`);
      expect(shown.includes('✗ ')).toBe(given !== question.right);
      expect(shown).toContain(question.choices[given]?.because);
    }
    expect(nth).toBe(answers.length);
    expect(shown).toContain('everything held');
  });
});

/** A step about the deletion of an object has nothing to look at. */
const isAboutGone = (note: string): boolean => /^(Back again, the garbage collector|First the pod went)/.test(note);
