import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/engine/index.ts';
import { Heap } from '../../../../src/controlplane/agents/scheduler/heap.ts';
import { ln } from '../../../../src/controlplane/agents/scheduler/plugins/pod-topology-spread.ts';
import { enoughNodes } from '../../../../src/controlplane/agents/scheduler/filtering.ts';
import { asNote } from '../../../../src/controlplane/agents/scheduler/outcomes.ts';
import { Tally } from '../../../../src/controlplane/agents/scheduler/pod-groups.ts';

describe('heap', () => {
  it('gives the least first, whatever is added and removed between', () => {
    const random = createRandom(5).stream('heap');
    const heap = new Heap<{ readonly value: number; readonly seq: number }>(
      (a, b) => a.value < b.value || (a.value === b.value && a.seq < b.seq),
    );
    let model: { readonly value: number; readonly seq: number }[] = [];
    for (let seq = 0; seq < 2000; seq++) {
      const item = { value: random.below(50), seq };
      if (random.below(3) > 0) {
        heap.push(item);
        model.push(item);
      }
      const victim = random.below(4) === 0 ? random.pick(model) : undefined;
      if (victim !== undefined) {
        expect(heap.remove(victim)).toBe(true);
        model = model.filter((other) => other !== victim);
      }
      if (random.below(3) === 0) {
        model.sort((a, b) => a.value - b.value || a.seq - b.seq);
        expect(heap.pop()).toBe(model.shift());
      }
      expect(heap.size).toBe(model.length);
    }
  });
});

describe('logarithm', () => {
  it('is that of the host but for the last bits', () => {
    for (let n = 1; n <= 10_000; n++) expect(Math.abs(ln(n) - Math.log(n))).toBeLessThan(4e-15 * Math.max(1, Math.log(n)));
    expect(ln(1)).toBe(0);
  });
});

describe('sampling', () => {
  it.each([
    [0, 0],
    [1, 1],
    [99, 99],
    [100, 100],
    [150, 100],
    [250, 120],
    [1000, 420],
    [5000, 500],
    [6000, 300],
    [20_000, 1000],
  ])('of %i nodes %i are enough', (all, enough) => {
    expect(enoughNodes(all)).toBe(enough);
  });
});

describe('notes', () => {
  it('are cut to 1024 characters', () => {
    expect(asNote('x'.repeat(1023))).toHaveLength(1023);
    expect(asNote('x'.repeat(3000))).toHaveLength(1024);
    expect(asNote('x'.repeat(3000)).endsWith(' ...')).toBe(true);
  });
});

describe('tally', () => {
  it('knows the smallest count by value', () => {
    const random = createRandom(3).stream('tally');
    const labels = new Map(Array.from({ length: 8 }, (_, i) => [`n${i}`, { zone: `z${i % 4}` }]));
    const tally = new Tally((node) => labels.get(node));
    const counts = tally.by('zone');
    const model = new Map<string, number>();
    for (let i = 0; i < 3000; i++) {
      const node = `n${random.below(8)}`;
      const before = model.get(node) ?? 0;
      const by = before > 0 && random.below(2) === 0 ? -1 : 1;
      model.set(node, before + by);
      tally.bump(node, by);
      const zones = ['z0', 'z1', 'z2', 'z3'].map((zone) =>
        [...model].filter(([name]) => labels.get(name)?.zone === zone).reduce((sum, [, count]) => sum + count, 0),
      );
      expect(counts.least(4)).toBe(Math.min(...zones));
      expect(counts.total).toBe(zones.reduce((a, b) => a + b, 0));
    }
  });
});
