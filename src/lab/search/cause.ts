/** The cause of a failure: what broke, and which write broke it. Findings with the same cause count as one, whatever faults led there. */
import { withoutChance, type Entry } from '../trace/index.ts';
import type { RunFailure } from '../simulation/index.ts';

/** An assertion that did not hold, and the write that broke it, where there is one. */
export interface Cause {
  /** The invariant's name, or what the scenario expects. */
  readonly claim: string;
  readonly process?: string;
  readonly controller?: string;
  /** `create Pod`. */
  readonly action?: string;
  /** The reason of that write, without what differs from run to run. */
  readonly why?: string;
  /** The failure in words. */
  readonly message: string;
}

const VARIABLE = /"[^"]*"|'[^']*'|\S*\d\S*/g;
const known = new Map<string, string>();
/** Reasons differ in names and numbers without end: the memo is bounded. */
const MOST_KNOWN = 20_000;

/** A sentence without quotations, numbers and generated names. */
export function sketch(text: string): string {
  let found = known.get(text);
  if (found === undefined) {
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(text, (found = withoutChance(text).replace(VARIABLE, '…')));
  }
  return found;
}

/** Two causes with the same text are one. */
export const causeText = ({ claim, controller = '', action = '', why = '' }: Cause): string => [claim, controller, action, why].join(' | ');

export interface Listener {
  hear(entry: Entry): void;
  failed(failure: RunFailure): void;
  /** What was broken, in order, each once. */
  readonly broken: readonly Cause[];
  /** `controller: why` of all decisions, sketched. */
  readonly whys: ReadonlySet<string>;
}

/** Observes a run. A step that failed says nothing about the cluster: the scenario could not continue. */
export function listen(): Listener {
  const broken: Cause[] = [];
  const whys = new Set<string>();
  const decisions = new Map<number, string>();
  let write: Extract<Entry, { type: 'write' }> | undefined;
  return {
    broken,
    whys,
    hear(entry) {
      if (entry.type === 'reconcile') {
        decisions.set(entry.id, entry.why);
        whys.add(`${entry.controller}: ${sketch(entry.why)}`);
      } else if (entry.type === 'write') write = entry;
    },
    failed(failure) {
      const cause = causeOf(failure, write, decisions);
      if (cause !== undefined && !broken.some(({ claim }) => claim === cause.claim)) broken.push(cause);
    },
  };
}

function causeOf(
  { kind, message, detail, invariant, controller, source }: RunFailure,
  write: Extract<Entry, { type: 'write' }> | undefined,
  decisions: ReadonlyMap<number, string>,
): Cause | undefined {
  switch (kind) {
    case 'step':
      return undefined;
    case 'expectation':
      return {
        claim: `what is expected${source === undefined ? '' : ` at line ${source.line}, column ${source.col}`}`,
        message: [message, ...detail].join('\n'),
      };
    case 'limit':
      return { claim: 'it comes to rest', message, ...(controller === undefined ? {} : { controller }) };
    case 'controller':
      return { claim: 'controllers keep their contract', message, ...(controller === undefined ? {} : { controller }) };
    case 'invariant': {
      const why = write?.causes.map((id) => decisions.get(id)).find((text) => text !== undefined);
      return {
        claim: invariant ?? message,
        message,
        ...(write === undefined ? {} : { process: write.actor, action: `${write.request.split(' ')[0] ?? ''} ${write.change.kind}` }),
        ...(write?.controller === undefined ? {} : { controller: write.controller }),
        ...(why === undefined ? {} : { why: sketch(why) }),
      };
    }
    default: {
      const never: never = kind;
      return never;
    }
  }
}
