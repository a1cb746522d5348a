/** The log of each program beside the trace: its lines, with virtual time before them. */
import { formatSince } from '../../../lab/trace/index.ts';
import { openWhole } from '../files.ts';
import type { Io } from '../io.ts';

export interface Logs {
  line(client: string, text: string, at: number): void;
  close(): void;
}

/** `run.jsonl` of the trace: `run.my-operator.log`. */
export const logPath = (trace: string, client: string): string => `${trace.replace(/\.[a-z]+$/i, '')}.${client}.log`;

const MOST_BYTES = 64 * 1024 * 1024;

export function openLogs(trace: string, clients: readonly string[], { cwd }: Pick<Io, 'cwd'>): Logs {
  const files = new Map(
    clients.map((client) => [client, { ...openWhole({ option: '--trace', path: logPath(trace, client), cwd }), bytes: 0 }]),
  );
  return {
    line(client, text, at) {
      const file = files.get(client);
      const line = `${formatSince(at).padStart(9)}  ${text}\n`;
      if (file === undefined || file.bytes > MOST_BYTES) return;
      file.bytes += line.length;
      file.write(file.bytes > MOST_BYTES ? 'the log is cut here: it has 64 MiB\n' : line);
    },
    close() {
      for (const { close } of files.values()) close();
    },
  };
}
