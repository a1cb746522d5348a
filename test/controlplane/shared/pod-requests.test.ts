/** The requests of a pod: containers add up, an init container raises, overhead comes on top. */
import { describe, expect, it } from 'vitest';
import { addAmounts, amountsOf, requestsOf, withTag } from '../../../src/controlplane/shared/index.ts';

const MI = 1024 ** 2;
type Requests = Readonly<Record<string, string>>;
const container = (requests?: Requests, more: object = {}) => ({
  name: 'c',
  image: 'sim:1',
  ...(requests === undefined ? {} : { resources: { requests } }),
  ...more,
});
const infoOf = (containers: readonly object[], more: object = {}) =>
  requestsOf({ containers, ...more } as Parameters<typeof requestsOf>[0]);
/** With what is not stated: nothing. */
const info = (more: object) => ({ scoredCpuSlip: 0, hostPorts: [], images: ['sim:1'], containers: 1, ...more });
const amounts = (milliCpu: number, memory: number, ephemeralStorage: number, others: Readonly<Record<string, number>> = {}) => ({
  milliCpu,
  memory,
  ephemeralStorage,
  others: new Map(Object.entries(others)),
});

describe('amounts', () => {
  it('are thousandths of cores, bytes, and units of other resources; the number of pods is none of them', () => {
    const list = { cpu: '1500m', memory: '64Mi', 'ephemeral-storage': '2Ki', pods: '110', 'example.com/gpu': '2', 'hugepages-2Mi': '4Mi' };
    expect(amountsOf(list)).toEqual(amounts(1500, 64 * MI, 2048, { 'example.com/gpu': 2, 'hugepages-2Mi': 4 * MI }));
    expect(amountsOf(undefined)).toEqual(amounts(0, 0, 0));
  });

  it('are added to others, and subtracted', () => {
    const sum = amounts(1, 2, 3, { gpu: 4 });
    const more = amounts(10, 20, 30, { gpu: 40, nic: 50 });
    addAmounts(sum, more);
    expect(sum).toEqual(amounts(11, 22, 33, { gpu: 44, nic: 50 }));
    addAmounts(sum, more, -1);
    expect(sum).toEqual(amounts(1, 2, 3, { gpu: 4, nic: 0 }));
    addAmounts(sum, amounts(0, 0, 0, { fpga: 7 }), -1);
    expect(sum.others.get('fpga')).toBe(-7);
  });
});

describe('a pod', () => {
  it('requests the sum of its containers; without a request one is scored as 100m and 200Mi', () => {
    const all = [
      container({ cpu: '250m', memory: '10Mi', 'ephemeral-storage': '1Ki', gpu: '1' }),
      container({ cpu: '1', gpu: '2' }),
      container({ memory: '5Mi' }),
      container(),
    ];
    expect(infoOf(all)).toEqual(
      info({
        requests: amounts(1250, 15 * MI, 1024, { gpu: 3 }),
        nonZeroMilliCpu: 1250 + 200,
        nonZeroMemory: (15 + 400) * MI,
        images: ['sim:1', 'sim:1', 'sim:1', 'sim:1'],
        containers: 4,
      }),
    );
  });

  it('requests at least what each of its init containers does', () => {
    const initContainers = [
      container({ cpu: '3', memory: '1Mi', gpu: '1' }),
      container({ cpu: '1', memory: '300Mi', 'ephemeral-storage': '7Ki', gpu: '4', nic: '1' }),
      container(),
    ];
    expect(infoOf([container({ cpu: '2', memory: '20Mi', 'ephemeral-storage': '1Ki', gpu: '2' })], { initContainers })).toEqual(
      info({
        requests: amounts(3000, 300 * MI, 7 * 1024, { gpu: 4, nic: 1 }),
        nonZeroMilliCpu: 3000,
        nonZeroMemory: 300 * MI,
      }),
    );
    // An init container without requests is scored by the defaults too.
    expect(infoOf([container({ cpu: '1m', memory: '1Mi' })], { initContainers: [container()] })).toMatchObject({
      requests: amounts(1, MI, 0),
      nonZeroMilliCpu: 100,
      nonZeroMemory: 200 * MI,
    });
  });

  it('requests its overhead besides, after its init containers', () => {
    const initContainers = [container({ cpu: '2', memory: '50Mi' })];
    const overhead = { cpu: '250m', memory: '6Mi', 'ephemeral-storage': '1Ki' };
    expect(infoOf([container({ cpu: '1', memory: '20Mi' })], { initContainers, overhead })).toEqual(
      info({
        requests: amounts(2250, 56 * MI, 1024),
        nonZeroMilliCpu: 2250,
        nonZeroMemory: 56 * MI,
        // 250m round up to one core, which is taken for one thousandth.
        scoredCpuSlip: 1 - 250,
      }),
    );
    expect(infoOf([container({ cpu: '1' })], { overhead: { memory: '1Mi' } })).toMatchObject({ scoredCpuSlip: 0, nonZeroMilliCpu: 1000 });
  });

  it('needs the ports of the node that its containers name', () => {
    const ports = [
      { containerPort: 80 },
      { containerPort: 80, hostPort: 0 },
      { containerPort: 80, hostPort: 8080 },
      { containerPort: 53, hostPort: 1, protocol: 'UDP', hostIP: '10.0.0.1' },
      { containerPort: 53, hostPort: 54, hostIP: '' },
    ];
    expect(infoOf([container({}, { ports }), { name: 'd' }])).toMatchObject({
      hostPorts: [
        { ip: '0.0.0.0', protocol: 'TCP', port: 8080 },
        { ip: '10.0.0.1', protocol: 'UDP', port: 1 },
        { ip: '0.0.0.0', protocol: 'TCP', port: 54 },
      ],
      images: ['sim:1', ''],
    });
  });

  it('shares what is known of its containers with the pods of its template', () => {
    const containers = [container({ cpu: '1' })];
    expect(infoOf(containers, { nodeName: 'a' })).toBe(infoOf(containers, { nodeName: 'b' }));
    expect(infoOf(containers, { overhead: { cpu: '1' } }).requests.milliCpu).toBe(2000);
    expect(infoOf(containers, { initContainers: [container({ cpu: '5' })] }).requests.milliCpu).toBe(5000);
  });
});

it('the name of an image has a tag, also beside the port of its registry', () => {
  expect(['a', 'a:1', 'r:5000/a', 'r:5000/a:1', 'r/b/a', 'a@sha256:0f'].map(withTag)).toEqual([
    'a:latest',
    'a:1',
    'r:5000/a:latest',
    'r:5000/a:1',
    'r/b/a:latest',
    'a@sha256:0f',
  ]);
});
