/** The action of a fork as a user types it: kubectl's words, a step, choices; and what is said of anything else. */
import { describe, expect, it } from 'vitest';
import { readForkStep, TYPED_VERBS } from '../../../src/lab/fork/index.ts';

/** The step without its timing and place, or the problems. */
function read(typed: string): unknown {
  const action = readForkStep(typed);
  if ('problems' in action) return action.problems;
  if ('choices' in action) return action;
  const { timing: _timing, source: _source, ...step } = action.step;
  return step;
}
/** Whether two texts are the same step. */
const same = (typed: string, step: string): void => {
  const expected = read(step);
  expect(Array.isArray(expected) ? expected : []).toEqual([]);
  expect(read(typed)).toEqual(expected);
};

describe('what is typed', () => {
  it.each([
    ['delete Job/pi', 'delete: Job/pi'],
    ['delete Job/pi --grace-period=0', 'delete: { target: Job/pi, gracePeriodSeconds: 0 }'],
    ['delete Job/pi --grace-period 5', 'delete: { target: Job/pi, gracePeriodSeconds: 5 }'],
    ['delete Job/pi --cascade=orphan', 'delete: { target: Job/pi, propagationPolicy: Orphan }'],
    ['delete  Job/pi   --cascade   foreground', 'delete: { target: Job/pi, propagationPolicy: Foreground }'],
    ['delete Job/pi --force', 'delete: { target: Job/pi, gracePeriodSeconds: 0 }'],
    ['delete Job/pi --force --grace-period=0', 'delete: { target: Job/pi, gracePeriodSeconds: 0 }'],
    ['delete Job/pi --now --ignore-not-found', 'delete: { target: Job/pi, gracePeriodSeconds: 1, ignoreNotFound: true }'],
    ['delete Job/pi gracePeriodSeconds=7', 'delete: { target: Job/pi, gracePeriodSeconds: 7 }'],
    ['delete { target: Job/pi }', 'delete: { target: Job/pi }'],
    ['evict Pod/web-0 --grace-period=3', 'evict: { target: Pod/web-0, gracePeriodSeconds: 3 }'],
    ['drain Node/node-0', 'drain: Node/node-0'],
    [
      'drain Node/node-0 --ignore-daemonsets --delete-emptydir-data --force --disable-eviction --timeout=2m --grace-period 9',
      'drain: { target: Node/node-0, ignoreDaemonSets: true, deleteEmptyDirData: true, force: true, disableEviction: true, timeout: 2m, gracePeriodSeconds: 9 }',
    ],
    ['cordon Node/node-0', 'cordon: Node/node-0'],
    ['uncordon Node/node-0', 'uncordon: Node/node-0'],
    ['scale Deployment/web --replicas=3', 'scale: { target: Deployment/web, replicas: 3 }'],
    ['scale Deployment/web --replicas 0', 'scale: { target: Deployment/web, replicas: 0 }'],
    ['fault crash controller-manager', 'fault: { crash: controller-manager }'],
    [
      'fault crash controller-manager restartAfter=10s afterWrites=2',
      'fault: { crash: controller-manager, restartAfter: 10s, afterWrites: 2 }',
    ],
    ['fault { crash: scheduler }', 'fault: { crash: scheduler }'],
    ['{ delete: Job/pi }', 'delete: Job/pi'],
    ['  delete: Job/pi  ', 'delete: Job/pi'],
    ['patch: { target: Job/pi, patch: { spec: { suspend: true } } }', '{ patch: { target: Job/pi, patch: { spec: { suspend: true } } } }'],
  ])('%s is the step %s', (typed, step) => {
    same(typed, step);
  });

  it('may be choices at points of the run', () => {
    expect(read('choices: [{ at: "decide controller-manager job default/pi w0+1", hold: 5s }]')).toEqual({
      choices: [{ at: 'decide controller-manager job default/pi w0+1', injectedFault: { do: 'hold', ms: 5_000 } }],
    });
    expect(read(' choices: []')).toEqual(['fork: expected a step, found nothing']);
  });
});

describe('what cannot be read', () => {
  const verbs = [...TYPED_VERBS, 'fault'].join(', ');
  const deletes = '--grace-period, --cascade, --force, --now, --ignore-not-found';
  it.each<readonly [string, readonly unknown[]]>([
    [
      '',
      [
        'fork: expected a step, such as "fork fault crash controller-manager", "fork delete Job/pi" or "fork patch: { target: Job/pi, patch: { spec: { suspend: true } } }"',
      ],
    ],
    ['  \n', [expect.stringMatching(/^fork: expected a step, such as/)]],
    ['remove Job/pi', [`fork: expected ${verbs}, or a step as in a scenario, such as "apply: …", found "remove"`]],
    ['dlete Job/pi', [`fork: expected ${verbs}, or a step as in a scenario, such as "apply: …", found "dlete"; did you mean "delete"?`]],
    ['cordon Node/n --force', ['fork: cordon: unknown word "--force" (the target is the last word)']],
    [
      'delete Job/pi --grace',
      [
        `fork: delete: unknown word "--grace"; did you mean "--grace-period"? (after the target: ${deletes}, or fields such as gracePeriodSeconds=0)`,
      ],
    ],
    ['delete Job/pi now', [`fork: delete: unknown word "now" (after the target: ${deletes}, or fields such as gracePeriodSeconds=0)`]],
    [
      'delete Job/pi --constructor',
      [`fork: delete: unknown word "--constructor" (after the target: ${deletes}, or fields such as gracePeriodSeconds=0)`],
    ],
    ['delete Job/pi --force=true', ['fork: delete: --force takes no value, found "true"']],
    ['delete Job/pi --grace-period', ['fork: delete: --grace-period takes a value, such as --grace-period=0']],
    [
      'delete Job/pi --cascade= --now=1',
      ['fork: delete: --cascade takes a value, such as --cascade=orphan', 'fork: delete: --now takes no value, found "1"'],
    ],
    [
      'scale Deployment/web --replica=3',
      ['fork: scale: unknown word "--replica=3"; did you mean "--replicas"? (after the target: --replicas, or fields such as replicas=3)'],
    ],
    ['delete: [', [expect.stringMatching(/^fork: /)]],
    ['delete: Job/pi }, { delete: Job/other', [expect.stringMatching(/^fork: /)]],
    ['delete: 7', [expect.stringMatching(/^fork: delete: /)]],
    ['fault crash nothing', [expect.stringMatching(/^fork: fault\.crash: /)]],
  ])('%j has its problems, without the place in a file', (typed, problems) => {
    expect(read(typed)).toEqual(problems);
  });
});
