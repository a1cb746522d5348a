/** Headlines of nodes and leases. */
import { isOf } from '../../../controlplane/runtime/index.ts';
import { conditionIn, type Headline } from './contract.ts';

const READY: Readonly<Record<string, string>> = { True: 'ready', False: 'not ready', Unknown: 'silent' };

export const node: Headline = ({ before, after, name }) => {
  if (!isOf('Node', before) || !isOf('Node', after)) return undefined;
  const [was, is] = [before, after].map(({ status }) => conditionIn(status.conditions, 'Ready'));
  if (is !== undefined && was !== is) return `${name} is now ${READY[is] ?? 'in an unknown state'} (was ${READY[was ?? ''] ?? 'new'})`;
  const keysOf = (list: typeof after.spec.taints) => (list ?? []).map(({ key, effect }) => `${key ?? ''}:${effect ?? ''}`);
  const [had, has] = [keysOf(before.spec.taints), keysOf(after.spec.taints)];
  const added = has.filter((each) => !had.includes(each));
  const removed = had.filter((each) => !has.includes(each));
  if (added.length > 0) return `taints ${name} with ${added.join(', ')}`;
  return removed.length > 0 ? `removes the taint ${removed.join(', ')} from ${name}` : undefined;
};

export const lease: Headline = ({ before, after, name }) => {
  if (!isOf('Lease', before) || !isOf('Lease', after)) return undefined;
  const [was = '', is = ''] = [before.spec.holderIdentity, after.spec.holderIdentity];
  if (was === is) return before.spec.renewTime === after.spec.renewTime ? undefined : `${is} renews ${name}`;
  if (is === '') return `${was} releases ${name}`;
  return `${is} acquires ${name}${was === '' ? '' : ` (held by ${was} before)`}`;
};
