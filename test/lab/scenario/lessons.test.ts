import { describe, expect, it } from 'vitest';
import { messagesOf, withSpec } from './vocabulary.ts';

const asking = (...answers: readonly string[]): string =>
  withSpec(`steps:
  - at: 1s
    note: A user creates a Job.
    ask:
      question: What comes next?
      choices:
${answers.map((say, at) => `        - { say: ${say}, because: it does, cel: "${at === 0}" }`).join('\n')}
    apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: a } }`);

describe('a question of a lesson', () => {
  it('has answers that differ', () => {
    const problems = messagesOf(asking('a pod', 'nothing', 'a pod'));
    expect(problems).toEqual([
      expect.stringMatching(/spec\.steps\[0\]\.ask\.choices\[2\]\.say: expected an answer that no other choice gives/),
    ]);
    expect(messagesOf(asking('a pod', 'nothing', 'a Job'))).toEqual([]);
  });
});
