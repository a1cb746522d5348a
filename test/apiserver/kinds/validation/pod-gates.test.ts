/** What is valid of pods behind gates whose fields are judged, not dropped. */
import { describe, expect, it } from 'vitest';
import type { FeatureGates } from '../../../../src/apiserver/machinery/index.ts';
import { setup } from '../../handlers/setup.ts';
import { causesOf, podOf } from './causes.ts';

describe('pods behind gates', () => {
  const world = (gates: FeatureGates) => setup('k8s.io', gates);
  const ref = (resource: string) => ({ resourceFieldRef: { containerName: 'c', resource } });
  const pages = podOf({
    containers: [
      {
        name: 'c',
        image: 'i',
        env: [
          { name: 'A', valueFrom: ref('limits.hugepages-2Mi') },
          { name: 'B', valueFrom: ref('limits.cpu') },
        ],
      },
    ],
    initContainers: [{ name: 'd', image: 'i', env: [{ name: 'A' }, { name: 'B', valueFrom: ref('requests.hugepages-2Mi') }] }],
    volumes: [
      { name: 'v', emptyDir: {} },
      {
        name: 'w',
        downwardAPI: {
          items: [
            { path: 'a', ...ref('requests.cpu') },
            { path: 'b', ...ref('limits.hugepages-1Gi') },
          ],
        },
      },
      {
        name: 'x',
        projected: { sources: [{ secret: { name: 's' } }, { downwardAPI: { items: [{ path: 'a', ...ref('limits.hugepages-1Gi') }] } }] },
      },
    ],
  });
  const onHost = (securityContext: object, own: object = {}) =>
    podOf({ hostNetwork: true, securityContext, containers: [{ name: 'c', image: 'i', securityContext: own }] });
  const yes = { windowsOptions: { hostProcess: true } };
  const no = { windowsOptions: { hostProcess: false } };

  it('may show huge pages with the gate, which is on', () => {
    expect(causesOf(pages)).toEqual([]);
    expect(causesOf(pages, world({ DownwardAPIHugePages: false }))).toEqual([
      'spec.volumes[1].downwardAPI.resourceFieldRef.resource: Unsupported value: "limits.hugepages-1Gi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      'spec.volumes[2].projected.sources[1].downwardAPI.resourceFieldRef.resource: Unsupported value: "limits.hugepages-1Gi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      'spec.containers[0].env[0].valueFrom.resourceFieldRef.resource: Unsupported value: "limits.hugepages-2Mi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
      'spec.initContainers[0].env[1].valueFrom.resourceFieldRef.resource: Unsupported value: "requests.hugepages-2Mi": supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"',
    ]);
  });

  it('may be host processes with the gate', () => {
    const objects = [onHost(yes), onHost({}, yes), onHost({}, no), onHost(no, {}), onHost(yes, no), podOf({})];
    const of = (gates: FeatureGates) => objects.map((object) => causesOf(object, world(gates)));
    expect(of({ AltOSHostProcessContainers: false })).toEqual([
      ["spec: Forbidden: pod must not contain hostProcess containers when the feature gate 'AltOSHostProcessContainers' is not enabled"],
      ["spec: Forbidden: pod must not contain hostProcess containers when the feature gate 'AltOSHostProcessContainers' is not enabled"],
      [],
      [],
      [
        'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
      ],
      [],
    ]);
    expect(of({ AltOSHostProcessContainers: true })).toEqual([
      [],
      [],
      [],
      [],
      [
        'spec.containers[0].securityContext.windowsOptions.hostProcess: Invalid value: false: pod hostProcess value must be identical if both are specified, was true',
      ],
      [],
    ]);
  });
});
