/** Headlines of claims, volumes and attachments. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import type { Headline } from './contract.ts';

export const claim: Headline = ({ before, after, name }) => {
  if (!isOf('PersistentVolumeClaim', before) || !isOf('PersistentVolumeClaim', after)) return undefined;
  const [was, is] = [before.status?.phase, after.status?.phase];
  return was === is || is === undefined ? undefined : `${name} is ${is.toLowerCase()}${boundTo(after.spec.volumeName)}${wasText(was)}`;
};

export const volume: Headline = ({ before, after, name }) => {
  if (!isOf('PersistentVolume', before) || !isOf('PersistentVolume', after)) return undefined;
  const [was, is] = [before.status?.phase, after.status?.phase];
  return was === is || is === undefined ? undefined : `${name} is ${is.toLowerCase()}${wasText(was)}`;
};

export const attachment: Headline = ({ before, after }) => {
  if (!isOf('VolumeAttachment', before) || !isOf('VolumeAttachment', after)) return undefined;
  const [was, is] = [before.status?.attached, after.status?.attached];
  const { source, nodeName } = after.spec;
  const what = source.persistentVolumeName ?? 'its volume';
  if (was !== is) return is ? `${what} is attached to ${nodeName}` : `${what} is detached from ${nodeName}`;
  const error = after.status?.attachError?.message ?? after.status?.detachError?.message;
  return error === undefined ? undefined : `${what} on ${nodeName}: ${error}`;
};

const boundTo = (name: string | undefined): string => (name === undefined || name === '' ? '' : ` to ${name}`);
const wasText = (was: string | undefined): string => (was === undefined ? '' : ` (was ${was.toLowerCase()})`);
