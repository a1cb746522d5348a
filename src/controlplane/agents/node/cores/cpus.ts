/**
 * Processors that a container has for itself: those of Guaranteed pods that ask for whole ones, under the static policy. Models: v1.24 pkg/kubelet/cm/cpumanager
 * policy_static.go and cpu_assignment.go (packed). Simplified: a socket is a NUMA node.
 */
import { type Cpu, has, type Layout, type Mask, sizeOf } from './layout.ts';
import type { Hint } from './hints.ts';

/** Which sets of NUMA nodes have so many processors free. `reusable`: those of containers of the same pod that have run. */
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

/** Whole sockets, then whole cores, then what is left: as packed as can be. undefined: there are not enough. */
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

/** So many processors, those of some NUMA nodes first. undefined: there are not enough. */
export function allocate(layout: Layout, free: readonly Cpu[], count: number, mask: Mask | undefined): readonly Cpu[] | undefined {
  const near = mask === undefined ? [] : free.filter(({ numa }) => has(mask, numa));
  const first = take(layout, near, Math.min(near.length, count)) ?? [];
  const rest = take(
    layout,
    free.filter((cpu) => !first.includes(cpu)),
    count - first.length,
  );
  return rest === undefined ? undefined : [...first, ...rest];
}

/** `0-2,5`: as cpu sets are written. */
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
