/** Formats what an object waits for as lines: each reason once, and below it the objects that it leads to. */
import type { ObjectName } from '../trace/index.ts';
import { listed } from './words.ts';
import type { Waiting } from './blockers.ts';

/** The limit of lines, so that a whole answer fits a screen. */
const MOST = 16;

/** Returns lines such as `Job big waits for 3 pods …`, indented by depth; the lines over the limit are counted. */
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
