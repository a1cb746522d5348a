/** A planted bug that breaks only after three refusals in order; each is stored in the reasons and writes of the controller. */
import { defineController, idle, write, type Controller } from '../../../../src/controlplane/runtime/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

/** Three ConfigMaps, each created when the previous one was observed; each refusal is stored in the last one. */
export const latch: Controller = defineController({
  name: 'latch',
  reconciles: 'ConfigMap',
  writes: ['ConfigMap'],
  models: 'nothing: it is planted',
  reconcile: ({ self, failures }) => {
    const name = self.metadata.name;
    const { stage = '0', refused = '' } = (self['data'] ?? {}) as Readonly<Record<string, string>>;
    if (name !== 'bone') return idle('it is another one');
    if (Number(stage) >= 3) return idle(`it is at its end, refused ${refused === '' ? 'never' : 'somewhere'}`);
    const data = { stage: String(Number(stage) + 1), refused: failures > 0 ? `${refused}${stage}` : refused };
    return write(
      `stage ${['one', 'two', 'three'][Number(stage)] ?? ''} after ${refused.length === 0 ? 'none' : refused.length === 1 ? 'a' : 'several'} refusals`,
      {
        op: 'update',
        object: { ...self, data },
      },
    );
  },
});

export const LATCH = scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: planted }
spec:
  until: 20s
  cluster: { nodes: { count: 0 }, latency: { api: 2ms, watch: 1ms } }
  invariants:
    - { name: never-refused-thrice, foreach: ConfigMap, always: "self.metadata.name != 'bone' || self.data.?refused.orValue('') != '012'" }
  steps:
    - at: 1s
      apply: { apiVersion: v1, kind: ConfigMap, metadata: { name: bone }, data: { stage: "0" } }
    - at: 20s
      expect: { cel: "object('ConfigMap/bone').data.stage == '3'" }
`);
