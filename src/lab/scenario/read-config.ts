/**
 * Readers of configuration inside a scenario: the flags of a process, the agents' configuration. What the real processes would refuse is a
 * problem of the file.
 */
import { parseAgentConfig, parseSchedulerFlags } from '../../controlplane/config/index.ts';
import { note, type CheckContext } from './context.ts';
import { joinPath, showValue, type Located } from '../../grammar/yaml/index.ts';
import { readDocument } from './read-manifests.ts';
import type { Manifest } from './types.ts';

/** Texts that the scheduler accepts as its flags. */
export function readSchedulerFlags(node: Located, path: string, context: CheckContext): readonly string[] | undefined {
  if (node.shape !== 'list')
    return note(context, node, path, 'a list of flags such as --leader-elect-lease-duration=15s', showValue(node.plain));
  const flags: string[] = [];
  for (const [index, item] of node.items.entries()) {
    if (typeof item.plain === 'string') flags.push(item.plain);
    else note(context, item, joinPath(path, index), 'a flag such as --leader-elect-lease-duration=15s', showValue(item.plain));
  }
  for (const { path: flag, message } of parseSchedulerFlags(flags).errors) {
    const index = node.items.findIndex(({ plain }) => typeof plain === 'string' && (plain === flag || plain.startsWith(`${flag}=`)));
    note(context, node.items[index] ?? node, index < 0 ? path : joinPath(path, index), 'flags that the scheduler accepts', message);
  }
  return flags;
}

/** An AgentConfiguration that the agents accept. */
export function readAgentConfig(node: Located, path: string, context: CheckContext): Manifest | undefined {
  const document = readDocument(node, path, context);
  if (document === undefined) return undefined;
  const inline = document === node.plain;
  for (const { path: field, message } of parseAgentConfig(document, { fragment: true }).errors) {
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

/** The node of a dotted path, as far as it leads. */
function nodeAt(node: Located, field: string): Located {
  let at = node;
  for (const part of field.split('.')) {
    const next = at.shape === 'map' ? at.entries.get(part)?.value : undefined;
    if (next === undefined) return at;
    at = next;
  }
  return at;
}
