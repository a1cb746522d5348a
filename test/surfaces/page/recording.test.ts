/** A run in a page is the same after reading. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { RunData } from '../../../src/surfaces/page/protocol.ts';
import { readRecording, recordingText } from '../../../src/surfaces/page/packing.ts';
import { createBench } from '../../../src/surfaces/page/worker/bench.ts';

const root = join(import.meta.dirname, '../../..');

function ran(file: string, text = readFileSync(join(root, file), 'utf8')): RunData {
  const answer = createBench().answer({ ask: 'run', scenario: { file, text } });
  if (answer.is !== 'run') throw new Error(JSON.stringify(answer));
  return answer.run;
}

const objectsOf = ({ trace }: RunData): readonly string[] =>
  trace.entries.flatMap((entry) => (entry.type === 'write' ? [JSON.stringify(entry.change.object)] : []));

describe.each([
  'scenarios/job/15-crash-between-writes.yaml',
  'scenarios/lease/05-leader-cut-off.yaml',
  'scenarios/broken/job-forgets-a-success.yaml',
])('the recording of %s', (file) => {
  const run = ran(file);
  const text = recordingText(run);
  it('has the same content', () => {
    const read = readRecording(text);
    expect(read).toEqual(JSON.parse(JSON.stringify(run)));
    // The order of object fields too, because it is visible.
    expect(objectsOf(read)).toEqual(objectsOf(run));
  });
  it('shares unchanged parts between revisions', () => {
    const shared = readRecording(text).trace.entries.filter(
      (entry) =>
        entry.type === 'write' && entry.change.type === 'MODIFIED' && entry.change.object['spec'] === entry.change.previous?.['spec'],
    );
    expect(shared.length).toBeGreaterThan(0);
  });
  it('is small', () => {
    expect(deflateRawSync(text).length).toBeLessThan(40 * 1024);
  });
});

it('keeps names with a meaning in JavaScript', () => {
  const run = ran(
    'hostile.yaml',
    `apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: hostile }
spec:
  steps:
    - apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: c }, data: { __proto__: one, constructor: two } }
    - patch: { target: ConfigMap/c, patch: { data: { __proto__: other, toString: three, constructor: null } } }
`,
  );
  const read = readRecording(recordingText(run));
  expect(objectsOf(read)).toEqual(objectsOf(run));
  expect(JSON.stringify(read)).toContain('"__proto__":"other"');
});
