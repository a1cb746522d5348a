/** Descriptions of ServiceAccounts and their fields, in our words. Source: spec, "ServiceAccount". */
import type { Texts } from '../../machinery/index.ts';

export const serviceAccountTexts: Texts = {
  ServiceAccount: {
    '': 'Who pods are.',
    secrets: 'Secrets that its pods may use.',
    imagePullSecrets: 'Secrets to pull images with.',
    automountServiceAccountToken: 'Whether its pods get a token.',
  },
};
