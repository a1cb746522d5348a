/**
 * Readers of configuration in a scenario: the flags of processes, the agents' configuration. Configuration that the real processes would
 * refuse is a problem, unless a step expects a process to refuse its start.
 */
import { parseAgentConfig, parseSchedulerFlags } from '../../controlplane/config/index.ts';
import { note, type CheckContext } from './context.ts';
import { joinPath, showValue, type Located } from '../../schema/yaml/index.ts';
import { readDocument } from './read-manifests.ts';
import type { Manifest } from './values.ts';

const READERS = {
  scheduler: { example: '--leader-elect-lease-duration=15s', problems: (flags: readonly string[]) => parseSchedulerFlags(flags).errors },
  agent: {
    example: '--max-pods=20',
    problems: (flags: readonly string[], { gates = {} }: CheckContext) => parseAgentConfig({}, { fragment: true, flags, gates }).errors,
  },
} as const;

export function readFlagsOf(
  process: keyof typeof READERS,
  node: Located,
  path: string,
  context: CheckContext,
): readonly string[] | undefined {
  const { example, problems } = READERS[process];
  if (node.shape !== 'list') return note(context, node, path, `a list of flags such as ${example}`, showValue(node.plain));
  const flags: string[] = [];
  for (const [index, item] of node.items.entries()) {
    if (typeof item.plain === 'string') flags.push(item.plain);
    else note(context, item, joinPath(path, index), `a flag such as ${example}`, showValue(item.plain));
  }
  for (const { path: flag, message } of context.startsMayFail === true ? [] : problems(flags, context)) {
    const index = node.items.findIndex(({ plain }) => typeof plain === 'string' && (plain === flag || plain.startsWith(`${flag}=`)));
    note(context, node.items[index] ?? node, index < 0 ? path : joinPath(path, index), `flags that the ${process} accepts`, message);
  }
  return flags;
}

export function readAgentConfig(node: Located, path: string, context: CheckContext): Manifest | undefined {
  const document = readDocument(node, path, context);
  if (document === undefined) return undefined;
  const inline = document === node.plain;
  if (context.startsMayFail === true) return document;
  for (const { path: field, message } of parseAgentConfig(document, {
    fragment: true,
    ...(context.gates === undefined ? {} : { gates: context.gates }),
  }).errors) {
    note(
      context,
      (inline ? nodeAt(node, field) : undefined) ?? node,
      joinPath(path, field),
      'a configuration that the agents accept',
      message,
    );
  }
  return document;
}

/** Returns the node of a dotted path, or the last one that exists along it. */
function nodeAt(node: Located, field: string): Located {
  let at = node;
  for (const part of field.split('.')) {
    const next = at.shape === 'map' ? at.entries.get(part)?.value : undefined;
    if (next === undefined) return at;
    at = next;
  }
  return at;
}
