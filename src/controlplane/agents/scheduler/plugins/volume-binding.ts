/** A pod's claims must be bound, or bindable where it goes. Models: v1.24 plugins/volumebinding. */
import { on } from '../cluster-events.ts';
import { unresolvable, type Plugin } from '../plugin.ts';
import { binderFor } from '../volumes/binder.ts';
import { claimsOf } from '../volumes/pod-claims.ts';

const UNBOUND = unresolvable('pod has unbound immediate PersistentVolumeClaims');

export const volumeBinding: Plugin = {
  name: 'VolumeBinding',
  events: {
    StorageClass: on('add', 'update'),
    PersistentVolumeClaim: on('add', 'update'),
    PersistentVolume: on('add', 'update'),
    Node: on('add', 'labels'),
    CSINode: on('add', 'update'),
    CSIDriver: on('add', 'update'),
    CSIStorageCapacity: on('add', 'update'),
  },
  filterFor({ pod }, view) {
    if ((pod.spec.volumes ?? []).length === 0) return undefined;
    const claims = claimsOf(pod, view);
    if (claims === undefined) return undefined;
    if (typeof claims === 'string') return { refusal: unresolvable(claims) };
    if (claims.unbound.length > 0) return { refusal: UNBOUND };
    const binder = binderFor(claims, view);
    return {
      filter: {
        check({ node }) {
          if (node === undefined) return undefined;
          const result = binder.on(node);
          return 'code' in result ? result : undefined;
        },
      },
    };
  },
};
