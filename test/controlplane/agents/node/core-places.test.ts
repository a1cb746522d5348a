/** The exclusive CPUs and memory of pods that are admitted one after the other. */
import { describe, expect, it } from 'vitest';
import type { Pod } from '../../../../src/apiserver/kinds/index.ts';
import { coresOf, type Place } from '../../../../src/controlplane/agents/node/cores/admit.ts';
import { barePod } from '../../../support/objects.ts';
import { SETTINGS } from './runner.ts';

const GI = 2 ** 30;
/** A container `name cpu memory`; an init container begins with `*`. */
const containerOf = (text: string) => {
  const [name = '', cpu = '0', memory = '100Mi'] = text.replace('*', '').split(' ');
  const amounts = { cpu, memory };
  return { name, image: 'c:1', resources: { requests: amounts, limits: amounts } };
};
const podOf = (text: string): Pod => {
  const all = text.split(', ');
  return barePod('p', 'Pending', {
    spec: {
      initContainers: all.filter((one) => one.startsWith('*')).map(containerOf),
      containers: all.filter((one) => !one.startsWith('*')).map(containerOf),
    },
  });
};
const shown = ({ container, cpuSet, memory, bytes }: Place): string =>
  `${container}${cpuSet === '' ? '' : ` ${cpuSet}`}${memory === 0 ? '' : ` memory ${memory.toString(2)} ${bytes / GI}Gi`}`;
/** The places of pods, one after the other. */
function placesOf(numa: string, settings: Partial<typeof SETTINGS>, ...pods: readonly string[]): readonly string[] {
  const [nodes = '', threadsPerCore = '1'] = numa.split(' x');
  const spec = {
    name: 'n',
    capacity: {},
    numa: nodes.split(' ').map((one) => ({ cpus: Number(one), memory: '4Gi' })),
    threadsPerCore: Number(threadsPerCore),
  };
  const cores = coresOf(spec, { ...SETTINGS, cpuManagerPolicy: 'static', systemReserved: { cpu: '1' }, ...settings });
  const taken: (readonly Place[])[] = [];
  return pods.map((text) => {
    const placed = cores?.place(podOf(text), taken);
    if (placed === undefined) return 'no manager';
    if ('refusal' in placed) return `${placed.refusal.reason}: ${placed.refusal.message}`;
    taken.push(placed.places);
    return placed.places.map(shown).join(', ');
  });
}
const spread = { 'distribute-cpus-across-numa': 'true' };
const whole = { 'full-pcpus-only': 'true' };
const FULL = 'UnexpectedAdmissionError: Allocate failed due to not enough cpus available to satisfy request, which is unexpected';
const UNALIGNED = 'TopologyAffinityError: Resources cannot be allocated with Topology locality';
type Row = readonly [string, () => readonly string[], readonly string[]];

describe('exclusive CPUs', () => {
  it.each<Row>([
    [
      'are single ones of a used core first, then whole cores of the NUMA node with the fewest',
      () => placesOf('4 4 x2', {}, 'a 1', 'b 2', 'c 2', 'd 1', 'e 1', 'f 1'),
      ['a 1', 'b 2-3', 'c 4-5', 'd 6', 'e 7', FULL],
    ],
    ['are a whole NUMA node where they fill one', () => placesOf('4 4 x2', {}, 'a 4', 'b 3', 'c 1'), ['a 4-7', 'b 1-3', FULL]],
    ['are a whole NUMA node and more', () => placesOf('4 4 x2', {}, 'a 5', 'b 1', 'c 1', 'd 1'), ['a 1,4-7', 'b 2', 'c 3', FULL]],
    ['are whole cores and one more of the same NUMA node', () => placesOf('4 4 x2', {}, 'a 3', 'b 3', 'c 1'), ['a 1-3', 'b 4-6', 'c 7']],
    ['are of several NUMA nodes', () => placesOf('2 2 2 2', {}, 'a 3', 'b 2', 'c 2'), ['a 1-3', 'b 4-5', 'c 6-7']],
    ['are of cores that a NUMA node has in part', () => placesOf('3 4 x2', {}, 'a 2', 'b 3', 'c 1'), ['a 0-1', 'b 3-5', 'c 6']],
    ['are for whole numbers only', () => placesOf('4 4', {}, 'a 1500m', 'b 0', 'c 1'), ['', '', 'c 1']],
    [
      'of init containers serve later containers, and are kept until the pod has ended',
      () => placesOf('4 4', {}, '*i 3, *j 4, a 2, b 3', 'c 1'),
      ['i 1-3, j 4-7, a 1-2, b 3-5', FULL],
    ],
    ['of init containers are few', () => placesOf('4 4', {}, '*i 2, a 3', 'b 4'), ['i 1-2, a 1-3', 'b 4-7']],
    [
      'are whole cores with full-pcpus-only',
      () => placesOf('4 4 x2', { cpuManagerPolicyOptions: whole }, 'a 3', 'b 2, c 2', 'd 4'),
      ['SMTAlignmentError: SMT Alignment Error: requested 3 cpus not multiple cpus per core = 2', 'b 2-3, c 4-5', FULL],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });

  const options = (numa: string, more: object, ...pods: readonly string[]) =>
    placesOf(numa, { cpuManagerPolicyOptions: { ...spread, ...more } }, ...pods);
  it.each<Row>([
    ['of one NUMA node', () => options('8 8 8', {}, 'a 8', 'b 4', 'c 5'), ['a 8-15', 'b 16-19', 'c 1-5']],
    ['of two NUMA nodes, with a remainder', () => options('8 8 8', {}, 'a 9', 'b 4', 'c 5'), ['a 8-12,16-19', 'b 1-4', 'c 5-6,20-22']],
    ['of the two with the most', () => options('8 8 8', {}, 'a 12', 'b 4', 'c 5'), ['a 8-13,16-21', 'b 1-4', 'c 5-7,14-15']],
    [
      'packed, where no equal parts are possible',
      () => options('8 8 8', {}, 'a 14', 'b 4', 'c 5'),
      ['a 8-14,16-22', 'b 1-4', 'c 5-7,15,23'],
    ],
    ['in whole cores', () => options('8 8 x2', whole, 'a 10', 'b 2'), ['a 2-5,8-13', 'b 6-7']],
    ['in single CPUs', () => options('8 8 x2', {}, 'a 9', 'b 3'), ['a 2-5,8-12', 'b 1,6-7']],
  ])('are spread %s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('the topology', () => {
  const pods = ['a 2, b 2', 'c 3', 'd 2', 'e 1, f 1', 'g 0'];
  const by = (topologyManagerPolicy: string, topologyManagerScope: string) =>
    [
      `${topologyManagerPolicy} by ${topologyManagerScope}`,
      () => placesOf('4 4 x2', { topologyManagerPolicy, topologyManagerScope }, ...pods),
    ] as const;
  const strict = ['a 2-3, b 4-5', UNALIGNED, 'd 6-7', UNALIGNED, ''];
  const strictPod = ['a 4-5, b 6-7', 'c 1-3', UNALIGNED, UNALIGNED, ''];
  it.each<Row>([
    [...by('best-effort', 'container'), ['a 2-3, b 4-5', 'c 1,6-7', FULL, FULL, '']],
    [...by('best-effort', 'pod'), ['a 4-5, b 6-7', 'c 1-3', FULL, FULL, '']],
    [...by('restricted', 'container'), strict],
    [...by('restricted', 'pod'), strictPod],
    [...by('single-numa-node', 'container'), strict],
    [...by('single-numa-node', 'pod'), strictPod],
    [
      'restricted to the fewest that can have so many',
      () => placesOf('2 2 2 2', { topologyManagerPolicy: 'restricted' }, 'a 3', 'b 4', 'c 1'),
      ['a 1-3', 'b 4-7', UNALIGNED],
    ],
    [
      'best-effort of the lowest',
      () => placesOf('2 2 2 2', { topologyManagerPolicy: 'best-effort' }, 'a 3', 'b 3', 'c 1'),
      ['a 1-3', 'b 4-6', 'c 7'],
    ],
  ])('is %s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });
});

describe('memory', () => {
  const memory = { cpuManagerPolicy: 'none', memoryManagerPolicy: 'Static', systemReserved: { memory: '1Gi' } };
  const both = { memoryManagerPolicy: 'Static', systemReserved: { cpu: '1', memory: '1Gi' } };
  const noMemory = (why: string): string => `UnexpectedAdmissionError: Allocate failed due to [memorymanager] ${why}, which is unexpected`;
  const NONE = noMemory('failed to get the default NUMA affinity, no NUMA nodes with enough memory is available');
  it.each<Row>([
    [
      'is of one NUMA node, the lowest with enough',
      () => placesOf('2 2', memory, 'a 1 2Gi', 'b 1 2Gi', 'c 1 2Gi', 'd 1 1Gi', 'e 1 1Gi'),
      ['a memory 1 2Gi', 'b memory 10 2Gi', 'c memory 10 2Gi', 'd memory 1 1Gi', NONE],
    ],
    [
      'is of a group where no NUMA node has enough, and then only of that group',
      () => placesOf('2 2', memory, 'a 1 6Gi', 'b 1 1Gi', 'c 1 1Gi'),
      ['a memory 11 6Gi', 'b memory 11 1Gi', NONE],
    ],
    [
      'is of a NUMA node outside the group',
      () => placesOf('2 2 2', memory, 'a 1 6Gi', 'b 1 1Gi', 'c 1 2Gi', 'd 1 3Gi'),
      ['a memory 11 6Gi', 'b memory 100 1Gi', 'c memory 100 2Gi', NONE],
    ],
    [
      'is reserved on the lower NUMA nodes',
      () => placesOf('2 2', { ...memory, systemReserved: { memory: '5Gi' } }, 'a 1 3Gi', 'b 1 1Gi'),
      ['a memory 10 3Gi', NONE],
    ],
    [
      'of init containers is free for the others',
      () => placesOf('2 2', memory, '*i 1 3Gi, a 1 4Gi, b 1 3Gi', 'c 1 1Gi'),
      ['a memory 10 4Gi, b memory 1 3Gi', NONE],
    ],
    [
      'and CPUs are of the same NUMA nodes, if restricted',
      () => placesOf('4 4', { ...both, topologyManagerPolicy: 'restricted' }, 'a 1 4Gi', 'b 3 2Gi', 'c 1 1Gi', 'd 4 1Gi'),
      ['a 4 memory 10 4Gi', 'b 1-3 memory 1 2Gi', UNALIGNED, UNALIGNED],
    ],
    [
      'and CPUs are of one NUMA node for all containers',
      () =>
        placesOf(
          '4 4',
          { ...both, topologyManagerPolicy: 'single-numa-node', topologyManagerScope: 'pod' },
          '*i 3 1Gi, a 1 1Gi, b 1 1Gi',
          'c 2 3Gi',
          'd 2 1Gi',
        ),
      ['i 1-3 memory 1 0Gi, a 1 memory 1 1Gi, b 2 memory 1 1Gi', 'c 4-5 memory 10 3Gi', 'd 6-7 memory 10 1Gi'],
    ],
    [
      'that no NUMA nodes of its CPUs have is refused',
      () => placesOf('4 4', { ...both, topologyManagerPolicy: 'best-effort' }, 'a 1 4Gi', 'b 1 4Gi'),
      ['a 4 memory 10 4Gi', noMemory('failed to find NUMA nodes to extend the current topology hint')],
    ],
  ])('%s', (_, shown, expected) => {
    expect(shown()).toEqual(expected);
  });

  it('and CPUs are shared without a policy', () => {
    expect(placesOf('4 4', { cpuManagerPolicy: 'none' }, 'a 1')).toEqual(['no manager']);
  });
});
