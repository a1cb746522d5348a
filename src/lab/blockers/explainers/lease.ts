/** A lease: its holder, its expiry, and whether a candidate may take it. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Explainer } from '../contract.ts';
import { at } from '../words.ts';

export const lease: Explainer = {
  name: 'lease',
  kinds: ['Lease'],
  explain(object, situation) {
    if (!isOf('Lease', object)) return [];
    const { holderIdentity = '', renewTime, leaseDurationSeconds = 0 } = object.spec;
    if (holderIdentity === '' || renewTime === undefined) return [{ text: 'is free: the next candidate may acquire it' }];
    const renewedAt = Date.parse(renewTime);
    const until = renewedAt + leaseDurationSeconds * 1000;
    const renewed = `renewed at ${at(situation, renewedAt)} for ${leaseDurationSeconds} s`;
    if (until < situation.now)
      return [{ text: `expired at ${at(situation, until)}: ${holderIdentity} ${renewed}, and not since; no candidate has acquired it` }];
    return [{ text: `is held by ${holderIdentity} until ${at(situation, until)} (${renewed})`, until }];
  },
};
