/** The life of pods on a node, by what its agent decides and reports: whole transcripts. */
import { describe, expect, it } from 'vitest';
import { decisionsIn, podStep, simulated, statusesOf } from './transcript.ts';

const UNREADY = '(ContainersNotReady "containers with unready status: [c]")';

describe('containers that run', () => {
  const run = () =>
    simulated('{ nodes: [{ name: a }] }', [
      podStep('1s', 'ends', 'restartPolicy: Never, containers: [{ name: c, image: "c:1" }, { name: d, image: "d:1" }]', {
        'exit-after': '3',
      }),
      podStep('2s', 'crash', 'restartPolicy: OnFailure, initContainers: [{ name: i, image: "i:1" }]', {
        'exit-after': '2',
        'exit-code': '3,0',
      }),
      podStep('3s', 'slow', '', { 'start-delay': '2', 'ready-delay': '3', 'term-delay': '4' }),
      podStep('4s', 'late', 'activeDeadlineSeconds: 5'),
      '{ at: 12s, delete: { kind: Pod, name: slow } }',
      '{ at: 13s, delete: { kind: Pod, name: ends } }',
    ]);

  it('start, exit, restart and are stopped, each at its time', () => {
    expect(decisionsIn(run())).toEqual([
      '1s pod-runner ends: its containers run and are ready',
      '2s pod-runner crash: its containers run and are ready',
      '3s pod-runner slow: its containers are being created',
      '4s pod-runner ends: its containers exited with 0 and are not restarted',
      '4s pod-runner crash: its containers exited with 3; they restart after 0.5 s',
      '4s pod-runner ends: it has finished',
      '4s pod-runner late: its containers run and are ready',
      '4s pod-runner late: its containers run and are ready',
      '4.5s pod-runner crash: its containers run and are ready',
      '5s pod-runner slow: its containers run but are not ready yet',
      '6.5s pod-runner crash: its containers exited with 0 and are not restarted',
      '6.5s pod-runner crash: it has finished',
      '8s pod-runner slow: its containers run and are ready',
      '9s pod-runner late: its containers were stopped (exit code 143)',
      '9s pod-runner late: it has finished',
      '12s pod-runner slow: its containers are being stopped',
      '13s pod-runner ends: the pod is gone from this node',
      '16s pod-runner slow: its containers were stopped (exit code 143)',
      '16s pod-runner slow: the pod is gone from this node',
      '16s pod-runner slow: its pod is gone, and its containers have stopped',
      '16s pod-runner a: status.volumesInUse of the node is up to date',
    ]);
  });

  it('are reported with their exits and their restarts', () => {
    const ran = run();
    expect(statusesOf(ran, 'ends').slice(0, 2)).toEqual([
      [
        '1s',
        'Running 192.168.0.10 10.244.0.1 10.244.0.1 BestEffort from 1s',
        'Initialized True from 1s',
        'Ready True from 1s',
        'ContainersReady True from 1s',
        'c: running from 1s; ready, started, 0 restarts; c:1 sim://c:1 -0',
        'd: running from 1s; ready, started, 0 restarts; d:1 sim://d:1 -0',
      ],
      [
        '4s',
        'Succeeded 192.168.0.10 10.244.0.1 10.244.0.1 BestEffort from 1s',
        'Initialized True from 1s (PodCompleted)',
        'Ready False from 4s (PodCompleted)',
        'ContainersReady False from 4s (PodCompleted)',
        'c: exit 0 Completed 1s to 4s -0; unready, not started, 0 restarts; c:1 sim://c:1 -0',
        'd: exit 0 Completed 1s to 4s -0; unready, not started, 0 restarts; d:1 sim://d:1 -0',
      ],
    ]);
    expect(statusesOf(ran, 'crash')).toEqual([
      [
        '2s',
        'Running 192.168.0.10 10.244.0.2 10.244.0.2 BestEffort from 2s',
        'Initialized True from 2s',
        'Ready True from 2s',
        'ContainersReady True from 2s',
        'init i: exit 0 Completed 2s to 2s -i; ready, 0 restarts; i:1 sim://i:1 -i',
        'c: running from 2s; ready, started, 0 restarts; c:1 sim://c:1 -0',
      ],
      [
        '4s',
        'Running 192.168.0.10 10.244.0.2 10.244.0.2 BestEffort from 2s',
        'Initialized True from 2s',
        `Ready False from 4s ${UNREADY}`,
        `ContainersReady False from 4s ${UNREADY}`,
        'init i: exit 0 Completed 2s to 2s -i; ready, 0 restarts; i:1 sim://i:1 -i',
        'c: exit 3 Error 2s to 4s -0; unready, not started, 0 restarts; c:1 sim://c:1 -0',
      ],
      [
        '4.5s',
        'Running 192.168.0.10 10.244.0.2 10.244.0.2 BestEffort from 2s',
        'Initialized True from 2s',
        'Ready True from 4s',
        'ContainersReady True from 4s',
        'init i: exit 0 Completed 2s to 2s -i; ready, 0 restarts; i:1 sim://i:1 -i',
        'c: running from 4s; ready, started, 1 restarts; c:1 sim://c:1 -1; before exit 3 Error 2s to 4s -0',
      ],
      [
        '6.5s',
        'Succeeded 192.168.0.10 10.244.0.2 10.244.0.2 BestEffort from 2s',
        'Initialized True from 2s (PodCompleted)',
        'Ready False from 6s (PodCompleted)',
        'ContainersReady False from 6s (PodCompleted)',
        'init i: exit 0 Completed 2s to 2s -i; ready, 0 restarts; i:1 sim://i:1 -i',
        'c: exit 0 Completed 4s to 6s -1; unready, not started, 1 restarts; c:1 sim://c:1 -1; before exit 3 Error 2s to 4s -0',
      ],
    ]);
  });

  it('are reported with their readiness, and why they were stopped', () => {
    const ran = run();
    expect(statusesOf(ran, 'slow').slice(0, -1)).toEqual([
      [
        '3s',
        'Pending 192.168.0.10 BestEffort from 3s',
        'Initialized True from 3s',
        `Ready False from 3s ${UNREADY}`,
        `ContainersReady False from 3s ${UNREADY}`,
        'c: waiting ContainerCreating; unready, not started, 0 restarts; c:1 sim://c:1 no id',
      ],
      [
        '5s',
        'Running 192.168.0.10 10.244.0.3 10.244.0.3 BestEffort from 3s',
        'Initialized True from 3s',
        `Ready False from 3s ${UNREADY}`,
        `ContainersReady False from 3s ${UNREADY}`,
        'c: running from 5s; unready, started, 0 restarts; c:1 sim://c:1 -0',
      ],
      [
        '8s',
        'Running 192.168.0.10 10.244.0.3 10.244.0.3 BestEffort from 3s',
        'Initialized True from 3s',
        'Ready True from 8s',
        'ContainersReady True from 8s',
        'c: running from 5s; ready, started, 0 restarts; c:1 sim://c:1 -0',
      ],
      [
        '12s',
        'Running 192.168.0.10 10.244.0.3 10.244.0.3 BestEffort from 3s',
        'Initialized True from 3s',
        'Ready True from 8s',
        'ContainersReady True from 8s',
        'c: running from 5s; ready, started, 0 restarts; c:1 sim://c:1 -0',
      ],
      [
        '16s',
        'Running 192.168.0.10 10.244.0.3 10.244.0.3 BestEffort from 3s',
        'Initialized True from 3s',
        `Ready False from 16s ${UNREADY}`,
        `ContainersReady False from 16s ${UNREADY}`,
        'c: exit 143 Error 5s to 16s -0; unready, not started, 0 restarts; c:1 sim://c:1 -0',
      ],
    ]);
    expect(statusesOf(ran, 'late')).toEqual([
      [
        '4s',
        'Running 192.168.0.10 10.244.0.4 10.244.0.4 BestEffort from 4s',
        'Initialized True from 4s',
        'Ready True from 4s',
        'ContainersReady True from 4s',
        'c: running from 4s; ready, started, 0 restarts; c:1 sim://c:1 -0',
      ],
      [
        '9s',
        'Failed DeadlineExceeded Pod was active on the node longer than the specified deadline 192.168.0.10 10.244.0.4 10.244.0.4 BestEffort from 4s',
        'Initialized True from 4s',
        `Ready False from 9s ${UNREADY}`,
        `ContainersReady False from 9s ${UNREADY}`,
        'c: exit 143 Error 4s to 9s -0; unready, not started, 0 restarts; c:1 sim://c:1 -0',
      ],
    ]);
  });
});
