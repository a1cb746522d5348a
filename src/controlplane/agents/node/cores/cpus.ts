/**
 * Exclusive CPUs: those of Guaranteed pods that request whole ones, under the static policy. Models: v1.24 pkg/kubelet/cm/cpumanager
 * policy_static.go and cpu_assignment.go (packed). Simplified: a socket is a NUMA node.
 */
import { type Cpu, has, type Layout, type Mask, sizeOf, type Hint } from './layout.ts';

/** The sets of NUMA nodes with so many free CPUs. `reusable`: those of init containers of the same pod. */
export function cpuHints(layout: Layout, free: readonly Cpu[], reusable: readonly Cpu[], count: number): readonly Hint[] {
  let least = layout.memory.length;
  const masks = layout.masks.filter((mask) => {
    const there = layout.cpus.filter(({ numa }) => has(mask, numa)).length;
    if (there >= count) least = Math.min(least, sizeOf(mask));
    return reusable.every(({ numa }) => has(mask, numa)) && reusable.length + free.filter(({ numa }) => has(mask, numa)).length >= count;
  });
  return masks.map((mask) => ({ mask, preferred: sizeOf(mask) === least }));
}

const countBy = (cpus: readonly Cpu[], key: 'core' | 'numa'): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>();
  for (const cpu of cpus) counts.set(cpu[key], (counts.get(cpu[key]) ?? 0) + 1);
  return counts;
};

/** Whole sockets, then whole cores, then single CPUs: packed as closely as possible. undefined: there are not enough. */
function take(layout: Layout, from: readonly Cpu[], count: number): readonly Cpu[] | undefined {
  if (from.length < count) return undefined;
  const taken: Cpu[] = [];
  let free = from;
  const grab = (wanted: readonly Cpu[]): void => {
    taken.push(...wanted);
    free = free.filter((cpu) => !wanted.includes(cpu));
  };
  for (let numa = 0; numa < layout.memory.length; numa++) {
    const whole = layout.cpus.filter((cpu) => cpu.numa === numa);
    if (whole.length <= count - taken.length && whole.every((cpu) => free.includes(cpu))) grab(whole);
  }
  const inSocket = countBy(free, 'numa');
  const bySocket = (a: Cpu, b: Cpu): number => (inSocket.get(a.numa) ?? 0) - (inSocket.get(b.numa) ?? 0) || a.numa - b.numa;
  const { threadsPerCore } = layout;
  const whole = countBy(free, 'core');
  const full = free.filter((cpu) => whole.get(cpu.core) === threadsPerCore).sort((a, b) => bySocket(a, b) || a.id - b.id);
  for (let at = 0; at < full.length && count - taken.length >= threadsPerCore; at += threadsPerCore)
    grab(full.slice(at, at + threadsPerCore));
  const near = countBy(taken, 'numa');
  const inCore = countBy(free, 'core');
  const rest = [...free].sort(
    (a, b) =>
      (near.get(b.numa) ?? 0) - (near.get(a.numa) ?? 0) ||
      bySocket(a, b) ||
      (inCore.get(a.core) ?? 0) - (inCore.get(b.core) ?? 0) ||
      a.id - b.id,
  );
  grab(rest.slice(0, count - taken.length));
  return taken;
}

/** Sets of NUMA nodes in the order of combinations: (0, 1), (0, 2), (1, 2). */
const inOrder = (a: Mask, b: Mask): number => {
  const lowest = (a ^ b) & -(a ^ b);
  return sizeOf(a) - sizeOf(b) || ((a & lowest) === 0 ? 1 : -1);
};

/**
 * Equal parts of as few NUMA nodes as possible, so that free CPUs stay balanced; a remainder is distributed group by group. Packed where no
 * nodes allow equal parts. Models: v1.24 cpu_assignment.go takeByTopologyNUMADistributed.
 */
function spread(layout: Layout, from: readonly Cpu[], count: number, group: number): readonly Cpu[] | undefined {
  if (from.length < count || count % group !== 0) return take(layout, from, count);
  const there = countBy(from, 'numa');
  const masks = [...layout.masks].sort(inOrder);
  const unevenness = (mask: Mask, more: Mask, part: number): number =>
    layout.memory.reduce((sum, _, numa) => {
      const left = (there.get(numa) ?? 0) - (has(mask, numa) ? part : 0) - (has(more, numa) ? group : 0);
      return left < 0 ? Infinity : sum + left * left;
    }, 0);
  for (let size = 1; size <= layout.memory.length; size++) {
    const part = Math.floor(count / size / group) * group;
    const rest = (count - part * size) / group;
    let best: { readonly mask: Mask; readonly more: Mask; readonly odds: number } | undefined;
    for (const mask of masks.filter((each) => sizeOf(each) === size))
      for (const more of rest === 0 ? [0] : masks.filter((each) => sizeOf(each) === rest && (each & mask) === each)) {
        const odds = unevenness(mask, more, part);
        if (odds < (best?.odds ?? Infinity)) best = { mask, more, odds };
      }
    if (best === undefined) continue;
    const { mask, more } = best;
    return layout.memory.flatMap((_, numa) => {
      const wanted = (has(mask, numa) ? part : 0) + (has(more, numa) ? group : 0);
      return (
        take(
          layout,
          from.filter((cpu) => cpu.numa === numa),
          wanted,
        ) ?? []
      );
    });
  }
  return take(layout, from, count);
}

/**
 * Allocates so many CPUs, first on some NUMA nodes; `group`: in equal parts of several, in groups of this size. undefined: there are not
 * enough.
 */
export function allocate(
  layout: Layout,
  free: readonly Cpu[],
  count: number,
  mask: Mask | undefined,
  group?: number,
): readonly Cpu[] | undefined {
  const some = (from: readonly Cpu[], wanted: number): readonly Cpu[] | undefined =>
    group === undefined ? take(layout, from, wanted) : spread(layout, from, wanted, group);
  const near = mask === undefined ? [] : free.filter(({ numa }) => has(mask, numa));
  const first = some(near, Math.min(near.length, count)) ?? [];
  const rest = some(
    free.filter((cpu) => !first.includes(cpu)),
    count - first.length,
  );
  return rest === undefined ? undefined : [...first, ...rest];
}

/** The cpuset format: `0-2,5`. */
export function cpuList(cpus: readonly Cpu[]): string {
  const ids = cpus.map(({ id }) => id).sort((a, b) => a - b);
  const parts: string[] = [];
  for (let from = 0; from < ids.length;) {
    let to = from;
    while (ids[to + 1] === (ids[to] ?? 0) + 1) to++;
    parts.push(to === from ? String(ids[from]) : `${ids[from]}-${ids[to]}`);
    from = to + 1;
  }
  return parts.join(',');
}
