/** Patches, and what became of their objects. */
import { type ApiRequest, envelopeOf } from '../../../src/apiserver/request/index.ts';
import type { Setup } from './setup.ts';

export type Patch = Partial<Extract<ApiRequest, { verb: 'patch' }>> & Pick<Extract<ApiRequest, { verb: 'patch' }>, 'kind' | 'name'>;
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';

const UID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Where a refusal quotes the patched document, only its keys are of interest. */
const shortened = (message: string): string =>
  message
    .replace(UID, 'UID')
    .replace(/^ "" is invalid: patch: Invalid value: ("\{(?:[^"\\]|\\.)*"): (.*)$/s, (_, quoted: string, why: string) => {
      const document = JSON.parse(JSON.parse(quoted) as string) as object;
      return `document of ${Object.keys(document).join(' ')}: ${why.replace(/(?<= is missing in ').*(?='$)/s, '…')}`;
    });

/** Returns the code and message of a refusal, or what became of the object. */
export const answer = ({ server }: Setup, patch: Patch): unknown => {
  const response = server.handle(envelopeOf('client', { verb: 'patch', namespace: 'default', ...patch } as ApiRequest));
  if (!response.ok) return `${response.code} ${shortened(response.status.message ?? '')}`;
  if (!('object' in response)) return response;
  const { metadata: _, ...members } = response.object;
  return members;
};
