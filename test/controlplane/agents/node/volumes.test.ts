import { mustAttach } from '../../../../src/controlplane/shared/index.ts';
import { describe, expect, it } from 'vitest';
import { type ApiObject, keyOf } from '../../../../src/apiserver/machinery/index.ts';
import type { CSIDriver, Pod } from '../../../../src/apiserver/kinds/index.ts';
import { learn, mayMount, nextQuestion, NOTHING_ASKED, type PodVolume } from '../../../../src/controlplane/agents/node/volumes.ts';
import { barePod } from '../../../support/objects.ts';
import { claimOf, DRIVER, holding, mounting, names, reported, volumeOf } from '../../controllers/volume-attachment/objects.ts';

const pod = mounting('p', 'data', 'n');
const exempt = {
  apiVersion: 'storage.k8s.io/v1',
  kind: 'CSIDriver',
  metadata: { name: DRIVER },
  spec: { attachRequired: false },
} as unknown as CSIDriver;

/** Reads live until nothing is left to read; undefined: a claim is not bound. */
function volumesOf(of: Pod, objects: readonly ApiObject[], driver?: CSIDriver): readonly PodVolume[] | undefined {
  let inquiry = NOTHING_ASKED;
  for (let question = nextQuestion(of, inquiry); question !== undefined; question = nextQuestion(of, inquiry)) {
    const { kind, name, namespace } = question;
    const answer = objects.find(
      (object) => object.kind === kind && keyOf(object) === (namespace === undefined ? name : `${namespace}/${name}`),
    );
    const learned = learn(inquiry, answer, () => mustAttach(driver, {}), names, of);
    if (learned === undefined) return undefined;
    inquiry = learned;
  }
  return inquiry.found;
}

describe('the volumes of a pod', () => {
  it('are unknown until its claims are bound', () => {
    expect(volumesOf(pod, [])).toBeUndefined();
    expect(volumesOf(pod, [claimOf('data', 'pv', 'Pending'), volumeOf('pv', 'data')])).toBeUndefined();
    expect(volumesOf(pod, [claimOf('data', 'pv'), volumeOf('pv', 'data')])).toMatchObject([{ name: reported('pv'), mustAttach: true }]);
  });

  it('are those of drivers, of claims made for it too', () => {
    const own = barePod('p', 'Pending', {
      spec: {
        volumes: [
          { name: 'scratch', ephemeral: {} },
          { name: 'tmp', emptyDir: {} },
        ],
      },
    });
    expect(volumesOf(own, [claimOf('p-scratch', 'pv'), volumeOf('pv', 'p-scratch')])).toMatchObject([
      { name: reported('pv'), mustAttach: true },
    ]);
    expect(volumesOf(pod, [claimOf('data', 'pv'), volumeOf('pv', 'data', { csi: undefined })])).toEqual([]);
    expect(volumesOf(pod, [claimOf('data', 'pv')])).toEqual([]);
  });

  it('are read one after the other, and only while that can succeed', () => {
    const two = barePod('p', 'Pending', {
      spec: { volumes: ['a', 'b'].map((name) => ({ name, persistentVolumeClaim: { claimName: name } })) },
    });
    const first = nextQuestion(two, NOTHING_ASKED);
    expect([first?.kind, first?.name]).toEqual(['PersistentVolumeClaim', 'a']);
    expect(learn(NOTHING_ASKED, claimOf('a', undefined, 'Pending'), () => true, names, two)).toBeUndefined();
    const bound = learn(NOTHING_ASKED, claimOf('a', 'pv-a'), () => true, names, two) ?? NOTHING_ASKED;
    expect([nextQuestion(two, bound)?.kind, nextQuestion(two, bound)?.name]).toEqual(['PersistentVolume', 'pv-a']);
    const found = learn(bound, volumeOf('pv-a', 'a'), () => true, names, two) ?? NOTHING_ASKED;
    expect(nextQuestion(two, found)?.name).toBe('b');
  });

  it('may be mounted when the node lists them in volumesAttached and volumesInUse, or when they need no attachment', () => {
    const must = volumesOf(pod, [claimOf('data', 'pv'), volumeOf('pv', 'data')]) ?? [];
    const nodes = [undefined, holding('n', []), holding('n', ['other'], ['pv']), holding('n', ['pv']), holding('n', ['pv'], ['pv'])];
    expect(nodes.map((node) => mayMount(must, node))).toEqual([false, false, false, false, true]);
    const free = volumesOf(pod, [claimOf('data', 'pv'), volumeOf('pv', 'data')], exempt) ?? [];
    expect(free).toMatchObject([{ name: reported('pv'), mustAttach: false }]);
    expect(mayMount(free, holding('n', []))).toBe(true);
  });
});
