/** Descriptions of ServiceAccounts and their fields, in our words. Source: spec, "ServiceAccount". */
import type { Texts } from '../../machinery/index.ts';

export const serviceAccountTexts: Texts = {
  ServiceAccount: {
    '': 'The identity of pods.',
    secrets: 'Secrets that its pods may use.',
    imagePullSecrets: 'Secrets for pulling images.',
    automountServiceAccountToken: 'Whether its pods get a token.',
  },
};
