/** A DaemonSet, its nodes and its pods, with the fields that one decision reads. */
import type { DaemonSet, Node, Pod } from '../../../../src/apiserver/kinds/index.ts';
import type { Fit } from '../../../../src/controlplane/controllers/daemon-set/pod.ts';
import { createView, putNode, type View } from '../../../../src/controlplane/controllers/daemon-set/view.ts';
import { formatTime } from '../../../../src/schema/values/index.ts';
import { at, barePod, nodeOf } from '../../../support/objects.ts';

const TEMPLATE = { metadata: {}, spec: { containers: [] } } as unknown as View['template'];

export const setOf = (spec: object = {}, status: object = {}): DaemonSet =>
  ({ metadata: { name: 'd', uid: 'uid-d', generation: 1 }, spec, status }) as unknown as DaemonSet;

/** A set with this rolling update. */
export const rolling = (rules: object, spec: object = {}): DaemonSet =>
  setOf({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: rules }, ...spec });

/** Properties of a pod besides its name and its node. */
interface Said {
  /** The hash of its template; default: the wanted one. */
  readonly hash?: string;
  /** The second since which it is ready; absent: it is not ready. */
  readonly ready?: number;
  readonly dying?: true;
  readonly phase?: string;
  /** It is not bound to its node yet. */
  readonly waits?: true;
  /** The second of its creation. */
  readonly made?: number;
}

export const podFor = (name: string, node: string, { hash = 'new', ready, dying, phase = 'Running', waits, made = 0 }: Said = {}): Pod =>
  barePod(name, phase, {
    meta: {
      labels: { 'controller-revision-hash': hash },
      creationTimestamp: formatTime(at(made)),
      ...(dying === undefined ? {} : { deletionTimestamp: formatTime(at(0)) }),
    },
    spec: {
      nodeName: waits === undefined ? node : undefined,
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
          },
        },
      },
    },
    status: { conditions: ready === undefined ? [] : [{ type: 'Ready', status: 'True', lastTransitionTime: formatTime(at(ready)) }] },
  });

/** The view of a set that wants template `new`: these nodes with their fit ('gone': no such node), and these pods. */
export function viewOf(nodes: Readonly<Record<string, Fit | 'gone'>>, pods: readonly Pod[], surges = false): View {
  const fit = ({ metadata }: Node): Fit => {
    const is = nodes[metadata.name];
    return is === undefined || is === 'gone' ? 'leaves' : is;
  };
  const view = createView({ template: TEMPLATE, wanted: { hash: 'new', surges }, fit }, Object.keys(nodes).map(nodeOf), pods, 1);
  for (const [name, is] of Object.entries(nodes)) if (is === 'gone') putNode(view, name, undefined);
  return view;
}
