/** Checks of `spec.choices` that the format cannot express: faults that do not apply to their point, and points that are named twice. */
import { joinPath, type Located } from '../../schema/yaml/index.ts';
import { FAULTS, SORTS } from './choice-format.ts';
import type { InjectedFault } from './choice-format.ts';
import { memberAt, note, type CheckContext } from './context.ts';

/** The sorts of points to which each fault applies. */
const PLACES: Readonly<Record<InjectedFault['do'], readonly (typeof SORTS)[number][]>> = {
  hold: ['see', 'decide'],
  late: ['write'],
  refuse: ['write'],
  lose: ['write'],
  crash: ['decide', 'write'],
  relist: ['decide'],
  cut: ['decide'],
  skew: ['decide'],
  hang: ['start'],
  slow: ['actor'],
};

/** Reports choices that cannot apply. */
export function checkChoices(document: Located, context: CheckContext): void {
  const list = memberAt(document, 'spec', 'choices');
  if (list?.shape !== 'list') return;
  const seen = new Set<string>();
  for (const [index, item] of list.items.entries()) {
    const path = `spec.choices[${index}]`;
    const at = memberAt(item, 'at');
    if (at === undefined || typeof at.plain !== 'string') continue;
    const injectedFault = FAULTS.find((name) => memberAt(item, name) !== undefined);
    const sort = at.plain.split(' ')[0] ?? '';
    const places: readonly string[] = injectedFault === undefined ? SORTS : PLACES[injectedFault];
    if (injectedFault !== undefined && !places.includes(sort))
      note(context, at, joinPath(path, 'at'), `a point at which ${injectedFault} can be injected (${places.join(' or ')})`, sort);
    if (seen.has(at.plain)) note(context, at, joinPath(path, 'at'), 'a point that no other choice names', 'it twice');
    seen.add(at.plain);
    const crash = memberAt(item, 'crash');
    if (crash?.plain === 'after' && sort === 'decide')
      note(context, crash, joinPath(path, 'crash'), 'before: after a decision come its writes', 'after');
    const stale = memberAt(item, 'staleBy');
    if (stale !== undefined && injectedFault !== 'crash' && injectedFault !== 'relist')
      note(context, stale, joinPath(path, 'staleBy'), 'crash or relist beside it', injectedFault ?? 'neither');
    for (const name of ['lose', 'relist', 'hang'] as const) {
      const flag = memberAt(item, name);
      if (flag?.plain === false) note(context, flag, joinPath(path, name), 'true', 'false');
    }
  }
}
