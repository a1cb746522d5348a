import { expect, it } from 'vitest';
import { oracleLines } from '../../../support/oracle.ts';
import { playQueue, type Played, type QueueCase } from './replay-queue.ts';

/** The recorded scheduler's own latencies. */
const TOLERANCE_MS = 60;

function differences(recorded: QueueCase, played: Played): readonly string[] {
  const found: string[] = [];
  for (const [pod, times] of Object.entries(recorded.attempts)) {
    const mine = played.attempts[pod] ?? [];
    if (mine.length !== times.length || mine.some((at, i) => Math.abs(at - (times[i] ?? 0)) > TOLERANCE_MS)) found.push(`${pod} tried at ${mine.join(', ')}, recorded ${times.join(', ')}`);
  }
  for (const { pod, node } of recorded.final) if (played.nodes[pod] !== node) found.push(`${pod} is on ${played.nodes[pod] ?? 'no node'}, recorded ${node ?? 'no node'}`);
  return found;
}

it('tries pods when the recorded scheduler did, for some phase of its tickers', () => {
  const cases = oracleLines('v1.24/scheduler/queue.jsonl') as unknown as QueueCase[];
  const wrong: string[] = [];
  for (const recorded of cases) {
    // The tickers' phase is unknown, but shows in any attempt that one of them released.
    const period = recorded.id === 'q-flush-unschedulable-timeout' ? 30_000 : 1_000;
    const phases = [0, ...new Set(Object.values(recorded.attempts).flat().map((at) => period - ((at - 4) % period)))];
    let best: readonly string[] | undefined;
    for (const phase of phases) {
      const found = differences(recorded, playQueue(recorded, phase));
      if (best === undefined || found.length < best.length) best = found;
      if (found.length === 0) break;
    }
    if (best !== undefined && best.length > 0) wrong.push(`${recorded.id}\n    ${best.join('\n    ')}`);
  }
  console.log(`${wrong.join('\n')}\n${cases.length - wrong.length} of ${cases.length} as recorded`);
  expect(wrong).toEqual([]);
}, 60_000);
