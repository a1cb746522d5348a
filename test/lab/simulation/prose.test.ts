/** Narration: when each text is shown, and never before it is true. */
import { describe, expect, it } from 'vitest';
import { simulate, type Run } from '../../../src/lab/simulation/index.ts';
import { parseScenario } from '../../../src/lab/scenario/index.ts';
import { vocabulary } from '../../../src/lab/vocabulary.ts';

const head = `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: told }
spec:
  cluster: { podBehaviors: [{ startDelay: 1s, runFor: 2s }] }
  steps:
    - apply: { apiVersion: batch/v1, kind: Job, metadata: { name: pi }, spec: { template: { spec: { restartPolicy: Never, containers: [{ name: c, image: "c:1" }] } } } }
`;

/** Runs a Job of one pod that runs at 1 s and is done at 3 s; `steps` follow its creation, from line 8 on. */
function run(...steps: readonly string[]): Run {
  const parsed = parseScenario(head + steps.map((step) => `    - ${step.replaceAll('\n', '\n      ')}\n`).join(''), {
    ...vocabulary(),
    file: 'told.yaml',
  });
  if ('problems' in parsed) throw new Error(JSON.stringify(parsed.problems));
  return simulate(parsed.scenario, { trace: true });
}

const reported = ({ narrationSteps }: Run) =>
  narrationSteps.flatMap(({ text, sinceStartMs }) => (text === undefined ? [] : [[sinceStartMs, text]]));
const failed = ({ failures }: Run) => failures.map(({ message, source, detail }) => ({ message, line: source?.line, detail }));

const RUNS = 'waitFor: { match: { kind: Pod, status: { phase: Running } } }';
const DONE = 'waitFor: { match: { kind: Job, metadata: { name: pi }, status: { succeeded: 1 } } }';

describe('a note', () => {
  it('is shown when its wait is over, and the text before it when its step starts', () => {
    const made = run(`before: It will run.\n${RUNS}\nnote: It runs.`);
    expect(reported(made)).toEqual([
      [0, 'It will run.'],
      [1000, 'It runs.'],
    ]);
    const { entries = [] } = made.trace ?? {};
    const at = entries.findIndex((entry) => entry.type === 'note' && entry.text === 'It runs.');
    expect(entries[at - 1]).toMatchObject({ type: 'write', change: { object: { status: { phase: 'Running' } } } });
  });

  it('follows the action of its item', () => {
    const { trace } = run('delete: { target: Job/pi, propagationPolicy: Background }\nnote: It is gone.');
    const last = trace?.entries.findIndex(({ type }) => type === 'note') ?? 0;
    expect(trace?.entries[last - 1]).toMatchObject({ type: 'write', change: { type: 'DELETED', kind: 'Job' } });
  });

  it('is not shown where its wait, or an expectation beside it, does not hold', () => {
    expect(reported(run('waitFor: { absent: Job/pi, within: 5s }\nnote: Gone.'))).toEqual([]);
    expect(reported(run(`${RUNS}\nnote: Two run.\nexpect: { count: { of: { kind: Pod }, is: 2 } }`))).toEqual([]);
  });

  it('does not change the digest', () => {
    expect(run(`${RUNS}\nbefore: Soon.\nnote: It runs.\nassert: { match: { kind: Pod, status: { phase: Running } } }`).digest).toBe(
      run(RUNS).digest,
    );
  });
});

describe('an assertion', () => {
  it('that is false fails the file, with its line and values, and the note is not shown', () => {
    const made = run(
      `${RUNS}\nnote: The pod has failed.\nassert: { match: { kind: Pod, status: { phase: Failed } } }`,
      `${DONE}\nnote: All is well.\nassert: [{ match: { kind: Job, status: { succeeded: 1 } } }, { cel: objects('Pod').size() == 2 }]`,
    );
    expect(made.verdict).toBe('broken');
    expect(reported(made)).toEqual([]);
    const [first, second] = failed(made);
    expect(first).toMatchObject({ message: expect.stringContaining('the note is false: '), line: 10 });
    expect(first?.detail.join('\n')).toMatch(/the note +The pod has failed\.[^]*status\.phase +expected "?Failed"? +found "?Running/);
    expect(second).toMatchObject({ message: 'the note is false: the expression is false', line: 13 });
  });

  it('is checked when the note is shown: not before the wait, not after', () => {
    expect(run(`${RUNS}\nnote: It runs.\nassert: { match: { kind: Pod, status: { phase: Running } } }`, DONE).verdict).toBe('held');
  });
});

describe('a wait with a note', () => {
  it('fails where the wait is vacuous, with the remedy', () => {
    const [failure] = failed(run('at: 2s\nwaitFor: { match: { kind: Pod, status: { phase: Running } } }\nnote: Now it runs.'));
    expect(failure?.message).toContain('the wait was vacuous');
    expect(failure?.detail.join()).toContain('expect');
  });

  it('may be vacuous without a note', () => {
    expect(run('at: 2s\nwaitFor: { match: { kind: Pod, status: { phase: Running } } }').verdict).toBe('held');
  });
});

describe('the object of a narration step', () => {
  const aboutOf = (made: Run) => made.narrationSteps.at(-1)?.about;

  it('is the object that it names, also a deleted one', () => {
    const made = run(`${RUNS}\nnote: It runs.\nabout: Job/pi`);
    expect(aboutOf(made)).toEqual({ kind: 'Job', namespace: 'default', name: 'pi' });
    expect(made.trace?.entries.find(({ type }) => type === 'note')).toMatchObject({ about: { kind: 'Job', name: 'pi' } });
    expect(
      aboutOf(run('delete: { target: Job/pi, propagationPolicy: Background }\nnote: Gone.\nabout: Job/pi\nassert: { absent: Job/pi }')),
    ).toMatchObject({ name: 'pi' });
    expect(aboutOf(run(`${RUNS}\nnote: The pod.\nabout: { kind: Pod, labels: { job-name: pi } }`))?.kind).toBe('Pod');
  });

  it('must exist or have existed', () => {
    const made = run(`${RUNS}\nnote: It runs.\nabout: Job/phi`);
    expect(failed(made)).toMatchObject([{ message: 'the note is about Job/phi, which does not exist and never did', line: 8 }]);
    expect(made.failures[0]?.detail.join()).toContain('default/pi');
    expect(reported(made)).toEqual([]);
  });

  it.each([
    [RUNS, 'Pod'],
    ['expect: { cel: "object(\'Job/pi\').spec.parallelism == 1" }', 'Job'],
    ['patch: { target: Job/pi, patch: { spec: { suspend: true } } }', 'Job'],
    ['waitFor: { match: { kind: Event, reason: SuccessfulCreate } }', 'Job'],
    [`${RUNS}\nnote: a\nassert: { match: { kind: Job } }`, 'Job'],
  ])('is, unnamed, the object that the step asserts, waits for, checks or changes: %s', (step, kind) => {
    expect(aboutOf(run(step))?.kind).toBe(kind);
  });
});

it('steps without a note are narration steps as well, and describe their action', () => {
  expect(run(RUNS, 'when: settled\nexpect: { match: { kind: Job, metadata: { name: pi } } }').narrationSteps).toMatchObject([
    { does: 'apply Job/pi', sinceStartMs: 0, taken: 1 },
    { does: 'wait for Pod', sinceStartMs: 1000, taken: 2 },
    { does: 'settled; check Job/pi', taken: 3 },
  ]);
});

it('an assertion without a note is refused when the file is read', () => {
  expect(() => run(`${RUNS}\nassert: { match: { kind: Pod } }`)).toThrow(/note beside assert/);
});
