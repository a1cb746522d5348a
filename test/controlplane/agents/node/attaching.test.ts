/** The component that attaches volumes to a node: the attach-detach controller, or the node's agent, which cannot attach CSI volumes. */
import { describe, expect, it } from 'vitest';
import type { Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { simulate, type Run } from '../../../../src/lab/simulation/index.ts';
import { scenarioIn } from '../../../support/scenarios.ts';

const KEY = 'volumes.orch.io/controller-managed-attach-detach';
const run = (node: string, { driver = '', more = '', until = '1m' } = {}): Run =>
  simulate(
    scenarioIn(`apiVersion: scenario.orch.io/v1
kind: Scenario
metadata: { name: attaching }
spec:
  until: ${until}
  cluster:
    nodes: [${node}]
    storageDrivers: [{ name: disk.example.com, ${driver} storageClasses: [{ name: disk }] }]
  steps:
    - apply:
        - { apiVersion: v1, kind: PersistentVolumeClaim, metadata: { name: data }, spec: { accessModes: [ReadWriteOnce], storageClassName: disk, resources: { requests: { storage: 1Gi } } } }
        - { apiVersion: v1, kind: Pod, metadata: { name: web }, spec: { containers: [{ name: c, image: "c:1" }], volumes: [{ name: data, persistentVolumeClaim: { claimName: data } }] } }
${more}`),
    { trace: true },
  );
const node = ({ cluster }: Run): Node | undefined => cluster.store.get('Node', 'a');
const phase = ({ cluster }: Run): string | undefined => (cluster.store.get('Pod', 'default/web') as Pod | undefined)?.status.phase;
const attachments = ({ cluster }: Run): number => [...cluster.store.values('VolumeAttachment')].length;
const said = ({ cluster }: Run): readonly (string | undefined)[] =>
  [...cluster.store.values('Event')].flatMap((event) => (event['reason'] === 'FailedAttachVolume' ? [String(event['message'])] : []));

describe('enableControllerAttachDetach', () => {
  it('that is not set adds no annotation, and leaves volumes to the controller', () => {
    const ran = run('{ name: a }');
    expect(node(ran)?.metadata.annotations).toBeUndefined();
    expect([phase(ran), attachments(ran), said(ran)]).toEqual(['Running', 1, []]);
  });

  it('is an annotation of the node when it is set', () => {
    const ran = run('{ name: a, agent: { enableControllerAttachDetach: true } }');
    expect(node(ran)?.metadata.annotations).toEqual({ [KEY]: 'true' });
    expect(phase(ran)).toBe('Running');
  });

  it('enableControllerAttachDetach: false keeps the controller away, and the agent says that it attaches nothing for drivers', () => {
    for (const own of ['agent: { enableControllerAttachDetach: false }', 'agentFlags: [--enable-controller-attach-detach=false]']) {
      const ran = run(`{ name: a, ${own} }`);
      expect(node(ran)?.metadata.annotations).toEqual({ [KEY]: 'false' });
      expect([phase(ran), attachments(ran)]).toEqual(['Pending', 0]);
      expect(said(ran)).toEqual([
        expect.stringMatching(/^AttachVolume\.Attach failed for volume "pvc-.*" : attaching volumes from the agent is not supported$/u),
      ]);
      expect(node(ran)?.status.volumesInUse).toHaveLength(1);
    }
  });

  it('does not matter for drivers whose volumes need no attaching', () => {
    const ran = run('{ name: a, agent: { enableControllerAttachDetach: false } }', { driver: 'attachRequired: false,' });
    expect([phase(ran), said(ran)]).toEqual(['Running', []]);
  });

  it('applies from a restart: attached volumes stay attached under the agent, and are detached when the controller takes over again', () => {
    const set = (value: string, at: string): string => `
    - { at: ${at}s, fault: { configure: agent/a, config: ${value} } }
    - { at: ${at}s, fault: { crash: agent/a, restartAfter: 1s } }`;
    const more = `${set('{ enableControllerAttachDetach: false }', '30')}
    - { at: 40s, delete: Pod/web }`;
    const kept = run('{ name: a }', { more, until: '3m' });
    expect(node(kept)?.metadata.annotations).toEqual({ [KEY]: 'false' });
    expect(attachments(kept)).toBe(1);
    const back = run('{ name: a }', { more: `${more}${set('{}', '80')}`, until: '3m' });
    expect(node(back)?.metadata.annotations ?? {}).toEqual({});
    expect(attachments(back)).toBe(0);
  });
});
