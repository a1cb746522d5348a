/** What an object waits for, as lines: each thing once, what it leads to below it. */
import type { ObjectName } from '../trace/index.ts';
import { listed } from './words.ts';
import type { Waiting } from './blockers.ts';

/** Lines that fit a screen with the rest of an answer. */
const MOST = 16;

/** `Job big waits for 3 pods …`, indented by depth; what is over is counted. */
export function waitingText(waits: readonly Waiting[], most = MOST): readonly string[] {
  const lines = waits.map(({ about, alike, depth, text }) => `${'  '.repeat(depth)}${named(about, alike)} ${text}`);
  return lines.length <= most ? lines : [...lines.slice(0, most), `and ${lines.length - most} more`];
}

const shown = ({ namespace, name }: ObjectName): string =>
  namespace === undefined || namespace === 'default' ? name : `${namespace}/${name}`;

const named = (about: ObjectName, alike: readonly ObjectName[]): string =>
  alike.length === 0
    ? `${about.kind} ${shown(about)}`
    : `each of ${alike.length + 1} ${about.kind}s (${listed([about, ...alike].map(shown))})`;
