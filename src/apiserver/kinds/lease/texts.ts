/** Descriptions of Leases and their fields, in our words. Source: spec, "Lease". */
import type { Texts } from '../../machinery/index.ts';

export const leaseTexts: Texts = {
  Lease: { '': 'A time-limited lock, for leader election and node heartbeats.' },
  LeaseSpec: {
    '': 'The holder and its times.',
    holderIdentity: 'The holder; empty: none.',
    leaseDurationSeconds: 'Seconds that candidates wait after the last observed renewal before they acquire it.',
    acquireTime: 'When the holder acquired it.',
    renewTime: 'When the holder last renewed it.',
    leaseTransitions: 'The number of changes of the holder.',
  },
};
