import { describe, expect, it } from 'vitest';
import { GATE_EFFECTS } from '../../../src/controlplane/config/registry/gates.ts';
import { GATES, resolveGates } from '../../../src/apiserver/machinery/index.ts';

describe('feature gates', () => {
  it('each have an effect, or a reason for having none', () => {
    expect([...GATE_EFFECTS.keys()].sort()).toEqual([...GATES.keys()].sort());
  });

  it('are those of the specification, each with its stage and default', () => {
    const count = (stage: string, on: boolean): number =>
      [...GATES.values()].filter((gate) => gate.stage === stage && gate.default === on).length;
    expect([count('alpha', false), count('beta', true), count('beta', false), count('alpha', true)]).toEqual([46, 49, 5, 0]);
    expect(GATES.get('JobReadyPods')).toEqual({ stage: 'beta', default: true });
    expect(GATES.get('JobTrackingWithFinalizers')).toEqual({ stage: 'beta', default: false });
  });

  it('take overrides by name', () => {
    const { gates, decidedBy, errors } = resolveGates({ CronJobTimeZone: true, JobReadyPods: false });
    expect([gates['CronJobTimeZone'], gates['JobReadyPods'], gates['StatefulSetAutoDeletePVC'], errors]).toEqual([true, false, false, []]);
    expect([...decidedBy.keys()]).toEqual(['CronJobTimeZone', 'JobReadyPods']);
  });

  it('switch by stage, except those set by name', () => {
    const { gates, decidedBy } = resolveGates({ AllAlpha: true, AllBeta: false, CronJobTimeZone: false, JobReadyPods: true });
    expect([
      gates['StatefulSetAutoDeletePVC'],
      gates['CronJobTimeZone'],
      gates['TopologyManager'],
      gates['JobReadyPods'],
      gates['VolumeScheduling'],
    ]).toEqual([true, false, false, true, true]);
    expect(decidedBy.get('StatefulSetAutoDeletePVC')).toBe('AllAlpha');
  });

  it('refuse unknown names with the nearest one, and disabling locked gates', () => {
    const { gates, errors } = resolveGates({ JobReadyPod: true, VolumeScheduling: false, CSIDriverRegistry: false });
    expect(errors.map(({ message }) => message)).toEqual([
      'unrecognized feature gate: JobReadyPod; did you mean "JobReadyPods"?',
      'cannot set feature gate VolumeScheduling to false, feature is locked to true',
    ]);
    expect([gates['VolumeScheduling'], gates['CSIDriverRegistry'], gates['JobReadyPod']]).toEqual([true, false, undefined]);
  });
});
