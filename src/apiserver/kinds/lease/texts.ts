/** Descriptions of Leases and their fields, in our words. Source: spec, "Lease". */
import type { Texts } from '../../machinery/index.ts';

export const leaseTexts: Texts = {
  Lease: { '': 'A lock that somebody holds for a time: who leads, or which node is alive.' },
  LeaseSpec: {
    '': 'Who holds it, since when, for how long.',
    holderIdentity: 'Who holds it; empty: nobody does.',
    leaseDurationSeconds: 'How long candidates wait, from the last renewal they have seen, before they take it.',
    acquireTime: 'When the holder took it.',
    renewTime: 'When the holder last said that it is there.',
    leaseTransitions: 'How often it has changed hands.',
  },
};
