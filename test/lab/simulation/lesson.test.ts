/** Lessons: the run determines the right answer, and fails where a question, an object to show or a suggestion is wrong. */
import { describe, expect, it } from 'vitest';
import { formatScenario, parseScenario } from '../../../src/lab/scenario/index.ts';
import { faults } from '../../../src/lab/faults/index.ts';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';

const head = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: asked }
spec:
  cluster: { podBehaviors: [{ startDelay: 1s, runFor: 2s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`;
const fileOf = (steps: readonly string[]): string => head + steps.map((step) => `    - ${step.replaceAll('\n', '\n      ')}\n`).join('');
const read = (text: string) => parseScenario(text, { ...vocabulary(), file: 'asked.yaml' });

/** Runs a Job of one pod that runs at 1 s and is done at 3 s; `steps` follow its creation, from line 8 on. */
function run(...steps: readonly string[]): Run {
  const parsed = read(fileOf(steps));
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return simulate(parsed.scenario, { trace: true });
}
function problems(...steps: readonly string[]): readonly string[] {
  const parsed = read(fileOf(steps));
  return 'problems' in parsed
    ? parsed.problems.map(({ line, col, path, expected, found }) => `${line}:${col} ${path}: expected ${expected}, found ${found}`)
    : [];
}
const failed = ({ failures }: Run) =>
  failures.map(({ message, source, detail }) => ({ message, at: `${source?.line ?? 0}:${source?.col ?? 0}`, detail }));

const choice = (say: string, cel: string): string => `    - { say: ${say}, cel: "${cel}", because: So it is. }`;
const ask = (...choices: readonly string[]): string => `ask:\n  question: What is there?\n  choices:\n${choices.join('\n')}`;
const NONE = choice('Nothing', "objects('Pod').size() == 0");
const ONE = choice('One', "objects('Pod').size() == 1");
const RUNS = choice('One that runs', "objects('Pod').exists(p, p.status.phase == 'Running')");
const AT = 'at: 2s\nnote: One.\nexpect: { count: { of: { kind: Pod }, is: 1 } }';

describe('a question', () => {
  it('is answered by the run: the assertion of one choice holds when the step has ended', () => {
    const made = run(`${ask(NONE, ONE)}\n${AT}`);
    expect(failed(made)).toEqual([]);
    expect(made.narrationSteps.find(({ ask: asked }) => asked !== undefined)).toMatchObject({
      sinceStartMs: 2000,
      text: 'One.',
      ask: { question: 'What is there?', right: 1, sinceStartMs: 0, choices: [{ say: 'Nothing', because: 'So it is.' }, { say: 'One' }] },
    });
  });

  it('fails the run where no answer holds, or two do, at the choice, with the values; and its note is not shown', () => {
    const two = run(`${ask(NONE, ONE, RUNS)}\n${AT}`);
    expect(failed(two)).toEqual([
      {
        message: 'exactly one answer must hold, and 2 of its answers hold (b, c): What is there?',
        at: '13:40',
        detail: expect.arrayContaining([
          expect.stringContaining('a is false: Nothing'),
          expect.stringContaining('c holds: One that runs'),
        ]) as unknown,
      },
    ]);
    expect(two.narrationSteps.some(({ text }) => text === 'One.')).toBe(false);
    const none = run(`${ask(NONE, choice('Two', "objects('Pod').size() == 2"))}\n${AT}`);
    expect(failed(none)).toMatchObject([
      { message: 'exactly one answer must hold, and none of its answers holds: What is there?', at: '11:34' },
    ]);
    expect(failed(none)[0]?.detail.join('\n')).toContain('objects("Pod").size() is 1');
  });

  it('is reported where an assertion cannot be evaluated', () => {
    const made = run(`${ask(NONE, choice('A node', "object('Pod/nobody').status.phase == 'Running'"))}\n${AT}`);
    expect(failed(made)).toMatchObject([{ message: expect.stringContaining('could not be evaluated') as unknown, at: '12:33' }]);
  });

  it('shows the text before it at the time of the question', () => {
    const made = run(`before: It begins.\n${ask(NONE, ONE)}\n${AT}`);
    expect(made.narrationSteps.filter(({ text }) => text !== undefined).map(({ text, sinceStartMs }) => [sinceStartMs, text])).toEqual([
      [0, 'It begins.'],
      [2000, 'One.'],
    ]);
  });

  it.each([
    [
      'a choice without a claim',
      `${ask('    - { say: None, because: Perhaps. }', ONE)}\n${AT}`,
      /^11:13 .*choices\[0\]\.cel: expected a CEL expression, found nothing/,
    ],
    ['one choice', `${ask(ONE)}\n${AT}`, /choices: expected at least 2 items, found a list of 1/],
    [
      'five choices',
      `${ask(ONE, NONE, RUNS, choice('A', 'true'), choice('B', 'false'))}\n${AT}`,
      /choices: expected at most 4 items, found a list of 5/,
    ],
    ['an answer twice', `${ask(ONE, ONE)}\n${AT}`, /choices\[1\]\.say: expected an answer that no other choice gives/],
    ['no note', `${ask(ONE, NONE)}\nat: 2s\nexpect: { count: { of: { kind: Pod }, is: 1 } }`, /expected note beside ask, found ask alone/],
    [
      'a wait',
      `${ask(ONE, NONE)}\nnote: One.\nwaitFor: { count: { of: { kind: Pod }, is: 1 } }`,
      /expected a step that is due by time .*found waitFor/,
    ],
    [
      'a condition',
      `${ask(ONE, NONE)}\nnote: One.\nwhen: { cel: "objects('Pod').size() == 1" }`,
      /expected a step that is due by time .*found when: \{ cel \}/,
    ],
  ])('is refused with %s', (_what, step, problem) => {
    expect(problems(step).join('\n')).toMatch(problem);
  });
});

describe('the object to show', () => {
  it('is an existing object, and the process whose cache is shown', () => {
    const made = run(`${AT}\nlook: { at: { kind: Pod }, as: controller-manager }`);
    expect(failed(made)).toEqual([]);
    expect(made.narrationSteps.at(-1)).toMatchObject({
      look: { at: { kind: 'Pod', namespace: 'default' }, as: 'controller-manager' },
      about: { kind: 'Pod' },
    });
  });

  it('fails the run where it does not exist, and the file where the process does not exist', () => {
    expect(failed(run(`${AT}\nlook: Pod/nobody`))).toMatchObject([{ message: 'there is no Pod/nobody to show when the step has ended' }]);
    expect(problems(`${AT}\nlook: { at: Job/pi, as: schedular }`).join()).toMatch(/look\.as: expected a process of this cluster/);
  });
});

describe('a suggestion', () => {
  const attempt = (then: string): string => `${AT}\ntry:\n  - say: Delete the pod\n    delete: { target: { kind: Pod } }\n    ${then}`;

  it('is run with the scenario, and its expectations hold', () => {
    const made = run(attempt("then: { cel: \"object('Job/pi').status.succeeded == 1 && elapsed > duration('4s')\" }"));
    expect(failed(made)).toEqual([]);
    expect(made.narrationSteps.at(-1)?.tries).toEqual(['Delete the pod']);
    expect(made.digest).toBe(run(AT).digest);
  });

  it('fails the run where they do not, at the expectation', () => {
    const [failure] = failed(run(attempt('then: { match: { kind: Job, metadata: { name: pi }, status: { succeeded: 2 } } }')));
    expect(failure).toMatchObject({ message: expect.stringMatching(/^what if\? Delete the pod: /) as unknown, at: '14:17' });
  });

  it('says which invariant it breaks, and fails where that holds', () => {
    expect(failed(run(attempt('breaks: job/finished-is-final')))).toMatchObject([
      { message: 'what if? Delete the pod: job/finished-is-final holds, and was expected to break' },
    ]);
  });

  it('has the faults of steps', () => {
    const text = 'try: { say: Break it, fault: { crash: nobody }, then: { absent: Job/x } }';
    expect(problems(`${AT}\n${text}`).join()).toMatch(/try\[0\]\.fault\.crash: expected a process of this cluster/);
  });
});

it('a lesson is written as it was read', () => {
  const step = `${ask(NONE, ONE)}\n${AT}\nlook: { at: Job/pi, as: scheduler }\ntry: { say: Break it, fault: { crash: scheduler, restartAfter: 1s }, after: 5s, then: { absent: Job/x } }`;
  const first = read(fileOf([step]));
  if ('problems' in first) throw new Error(JSON.stringify(first.problems));
  const text = formatScenario(first.scenario, { faults });
  const second = read(text);
  if ('problems' in second) throw new Error(JSON.stringify(second.problems));
  expect(formatScenario(second.scenario, { faults })).toBe(text);
  expect(text).toMatch(/ask:[\s\S]*question: What is there\?[\s\S]*look: \{ at: Job\/pi, as: scheduler \}[\s\S]*after: 5s/);
});
