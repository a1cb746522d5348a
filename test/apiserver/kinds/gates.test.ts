/** The states of feature gates, by name and by stage. */
import { describe, expect, it } from 'vitest';
import { GATES, resolveGates } from '../../../src/apiserver/machinery/index.ts';

describe('gates', () => {
  const stageOf = (stage: string) => [...GATES].filter(([, gate]) => gate.stage === stage && gate.isLocked !== true).map(([name]) => name);
  /** The gates whose state is not their default, and the name that set each of the given ones. */
  function resolved(overrides: Readonly<Record<string, boolean>>) {
    const { gates, decidedBy, errors } = resolveGates(overrides);
    expect(Object.keys(gates)).toEqual([...GATES.keys()]);
    const changed = Object.keys(gates).filter((name) => gates[name] !== GATES.get(name)?.default);
    return { changed, decidedBy: Object.fromEntries(decidedBy), errors };
  }

  it('have their defaults', () => {
    expect(resolved({})).toEqual({ changed: [], decidedBy: {}, errors: [] });
    expect(resolveGates({ CPUManager: false })).toBe(resolveGates({ CPUManager: false }));
  });

  it('are set by name, and by the name of their stage', () => {
    expect(resolved({ CPUManager: false, NodeSwap: true, CSIMigration: true })).toEqual({
      changed: ['CPUManager', 'NodeSwap'],
      decidedBy: { CPUManager: 'CPUManager', NodeSwap: 'NodeSwap', CSIMigration: 'CSIMigration' },
      errors: [],
    });
    const alpha = resolved({ AllAlpha: true, NodeSwap: false });
    expect(alpha.changed).toEqual(stageOf('alpha').filter((name) => name !== 'NodeSwap'));
    expect(alpha.decidedBy).toEqual({
      ...Object.fromEntries(stageOf('alpha').map((name) => [name, 'AllAlpha'])),
      AllAlpha: 'AllAlpha',
      NodeSwap: 'NodeSwap',
    });
    const beta = resolved({ AllBeta: false });
    expect(beta.changed).toEqual(stageOf('beta').filter((name) => GATES.get(name)?.default === true));
    expect(Object.keys(beta.decidedBy).sort()).toEqual(stageOf('beta').toSorted());
  });

  it('are refused where they are unknown, or locked in their state', () => {
    expect(resolved({ CpuManager: true, VolumeScheduling: false, EndpointSliceNodeName: true, CSIDriverRegistry: false })).toEqual({
      changed: ['CSIDriverRegistry'],
      decidedBy: { EndpointSliceNodeName: 'EndpointSliceNodeName', CSIDriverRegistry: 'CSIDriverRegistry' },
      errors: [
        { gate: 'CpuManager', message: expect.stringMatching(/^unrecognized feature gate: CpuManager.*CPUManager/) as unknown },
        { gate: 'VolumeScheduling', message: 'cannot set feature gate VolumeScheduling to false, feature is locked to true' },
      ],
    });
  });
});
