/** Names of ReplicaSets: the hash of a template, equal to the recorded control plane's (names and templates are from the recordings). */
import { describe, expect, it } from 'vitest';
import { templateHash } from '../../../src/controlplane/shared/template-hash.ts';

const template = (image: string, annotations: Record<string, string>) => ({
  metadata: { creationTimestamp: null, labels: { app: 'd' }, annotations },
  spec: {
    containers: [
      {
        name: 'c',
        image,
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
        imagePullPolicy: 'IfNotPresent',
      },
    ],
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 5,
    dnsPolicy: 'ClusterFirst',
    securityContext: {},
    schedulerName: 'default-scheduler',
  },
});
const usual = { 'sim/ready-delay': '0.5', 'sim/start-delay': '0.3', 'sim/term-delay': '0.5' };

describe('the hash of a template', () => {
  it.each([
    ['sim:1', '56669d98d4'],
    ['sim:2', '74d54876dc'],
    ['sim:3', 'f9876f874'],
  ])('of %s is %s', (image, hash) => {
    expect(templateHash(template(image, usual), undefined)).toBe(hash);
  });

  it('differs after a collision, and not for another order of keys', () => {
    const turned = { 'sim/term-delay': '0.5', 'sim/start-delay': '0.3', 'sim/ready-delay': '0.5' };
    expect(templateHash(template('sim:1', turned), undefined)).toBe('56669d98d4');
    const hashes = [undefined, 0, 1, 2].map((collisions) => templateHash(template('sim:1', usual), collisions));
    expect(new Set(hashes).size).toBe(4);
  });
});
