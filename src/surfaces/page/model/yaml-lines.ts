/** An object as lines of YAML; changed lines are marked, by the paths of differences. */
import type { ApiObject } from '../../../apiserver/machinery/index.ts';
import { isMapping } from '../../../schema/values/index.ts';

export interface YamlLine {
  readonly text: string;
  readonly marked: boolean;
}

const MERGE_KEYS = ['name', 'type', 'uid', 'key'] as const;
/** Scalars that would be read as other types without quotes. */
const QUOTED = /^$|^[\s\d{[*&!|>'"%@`#?:,-]|: | #|^(?:true|false|null|yes|no|on|off|~)$|\s$/i;

/** The lines of an object: status, spec, metadata, then the rest. */
export function linesOf(object: ApiObject, changed: readonly string[]): readonly YamlLine[] {
  const { status, spec, metadata, ...rest } = object;
  const { managedFields: _, ...meta } = metadata;
  const lines: YamlLine[] = [];
  const isMarked = (path: string): boolean =>
    changed.some((each) => path === each || path.startsWith(`${each}.`) || path.startsWith(`${each}[`));
  const walk = (value: unknown, indent: string, head: string, path: string): void => {
    const add = (text: string): void => {
      lines.push({ text, marked: isMarked(path) });
    };
    if (Array.isArray(value)) {
      add(`${indent}${head}${value.length === 0 ? ' []' : ''}`);
      value.forEach((item: unknown, index) => items(item, indent, `${path}[${keyOfItem(item) ?? index}]`, isMarked, walk, lines));
    } else if (isMapping(value)) {
      const members = Object.entries(value).filter(([, member]) => member !== undefined);
      add(`${indent}${head}${members.length === 0 ? ' {}' : ''}`);
      const inner = `${indent.replaceAll('- ', '  ')}  `;
      for (const [name, member] of members) walk(member, inner, `${name}:`, `${path}.${name}`);
    } else add(`${indent}${head} ${scalar(value)}`);
  };
  for (const [name, value] of Object.entries({ status, spec, metadata: meta, ...rest }))
    if (value !== undefined) walk(value, '', `${name}:`, name);
  return lines;
}

type Walk = (value: unknown, indent: string, head: string, path: string) => void;

function items(item: unknown, indent: string, path: string, isMarked: (path: string) => boolean, walk: Walk, lines: YamlLine[]): void {
  const plain = indent.replaceAll('- ', '  ');
  if (!isMapping(item)) {
    lines.push({ text: `${plain}- ${scalar(item)}`, marked: isMarked(path) });
    return;
  }
  const members = Object.entries(item).filter(([, member]) => member !== undefined);
  for (const [at, [name, member]] of members.entries()) walk(member, `${plain}${at === 0 ? '- ' : '  '}`, `${name}:`, `${path}.${name}`);
}

const keyOfItem = (item: unknown): string | undefined => {
  if (!isMapping(item)) return undefined;
  const key = MERGE_KEYS.find((each) => typeof item[each] === 'string');
  return key === undefined ? undefined : String(item[key]);
};

const scalar = (value: unknown): string =>
  typeof value === 'string' ? (QUOTED.test(value) ? JSON.stringify(value) : value) : JSON.stringify(value);
