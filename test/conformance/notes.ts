/**
 * Faults on machines and processes, from a recording's notes. Schedulers are named by their initial role: the leader at the start is
 * `scheduler`, the second candidate `scheduler-1`. There was one controller manager; if notes mention it, it has leader election: after a
 * restart it waits until the lease of its former process expires.
 */
import type { RecordedAction } from './recording.ts';

export type NotedFault = Readonly<Record<string, string>>;

const FIRST = 'scheduler';
const SECOND = 'scheduler-1';
const MANAGER = 'controller-manager';

export interface Story {
  /** By the action with the note. */
  readonly faults: ReadonlyMap<RecordedAction, NotedFault>;
  /** The state when the recording began. */
  readonly atFirst: readonly NotedFault[];
  /** Members of the scenario's cluster: the processes with leader election, if the case mentions them. */
  readonly cluster: Readonly<Record<string, number>>;
  /** Machines that are mentioned. */
  readonly machines: ReadonlySet<string>;
  /** Notes without an effect. */
  readonly ignored: readonly string[];
}

/** Reads the notes of a recording's actions. */
export function readNotes(actions: readonly RecordedAction[]): Story {
  const faults = new Map<RecordedAction, NotedFault>();
  const ignored: string[] = [];
  const candidates = actions.some(({ note = '' }) => /second \S*scheduler/.test(note));
  const manager = actions.some(({ note = '' }) => managerFault(note) !== undefined);
  let leader = FIRST;
  let startsLater = false;
  for (const action of actions) {
    const { t, note = '' } = action;
    if (note === '' || (candidates && t < AT_ONCE && STARTED.test(note))) continue;
    const fault = managerFault(note) ?? machineFault(note) ?? (candidates ? processFault(note, leader) : undefined);
    if (fault === undefined) {
      ignored.push(note);
      continue;
    }
    if (fault['crash'] === leader || fault['stop'] === leader) leader = leader === FIRST ? SECOND : FIRST;
    if (faults.size === 0) startsLater = fault['restart'] === SECOND;
    faults.set(action, fault);
  }
  const machines = new Set(actions.flatMap(({ note = '' }) => nodeOf(note) ?? []));
  return {
    faults,
    ignored,
    machines,
    atFirst: startsLater ? [{ crash: SECOND }] : [],
    cluster: { ...(candidates ? { schedulers: 2 } : {}), ...(candidates || manager ? { controllerManagers: 1 } : {}) },
  };
}

/** Seconds within which a candidate counts as present from the start. */
const AT_ONCE = 0.1;
const STARTED = /\b(re)?started\b/;

/** The machine that a note is about. */
function nodeOf(note: string): string | undefined {
  const who = /node agent of (\S+)|of (\S+) killed/.exec(note);
  return who?.[1] ?? who?.[2];
}

function machineFault(note: string): NotedFault | undefined {
  const node = nodeOf(note);
  if (node === undefined) return undefined;
  if (/killed|silent/.test(note)) return { nodeDown: node };
  if (note.includes('back')) return { nodeUp: node };
  if (note.includes('Ready=False')) return { nodeNotReady: node };
  return note.includes('Ready=True') ? { nodeReady: node } : undefined;
}

/** `controller manager killed (SIGKILL)`, `controller manager started`. */
function managerFault(note: string): NotedFault | undefined {
  if (!note.startsWith('controller manager ')) return undefined;
  if (STARTED.test(note)) return { restart: MANAGER };
  return note.includes('SIGKILL') ? { crash: MANAGER } : undefined;
}

/** `second scheduler started`, `leader SIGKILLed`, `first scheduler restarted`, `second … candidate stopped (SIGTERM, never leader)`. */
function processFault(note: string, leader: string): NotedFault | undefined {
  const who = note.startsWith('second ') ? SECOND : note.startsWith('first ') ? FIRST : note.startsWith('leader ') ? leader : undefined;
  if (who === undefined) return undefined;
  if (STARTED.test(note)) return { restart: who };
  if (note.includes('SIGKILL')) return { crash: who };
  return /SIGTERM|stopped/.test(note) ? { stop: who } : undefined;
}
