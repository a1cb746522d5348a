/** The log of each program beside the trace: its lines, with virtual time before them. */
import { formatSince } from '../../../lab/trace/index.ts';
import type { Command } from '../../drive/index.ts';
import { openWhole } from '../files.ts';
import type { Io } from '../io.ts';

const MOST_BYTES = 64 * 1024 * 1024;

/** Opens the logs: of the trace `run.jsonl` and the program my-operator, `run.my-operator.log`. */
export function openLogs(trace: string, programs: readonly Command[], { cwd }: Pick<Io, 'cwd'>) {
  const logs = programs.map(({ name }) => [name, `${trace.replace(/\.[a-z]+$/i, '')}.${name}.log`] as const);
  const files = new Map(logs.map(([name, path]) => [name, { ...openWhole({ option: '--trace', path, cwd }), bytes: 0 }]));
  return {
    paths: logs.map(([, path]) => path),
    line(client: string, text: string, at: number): void {
      const file = files.get(client);
      const line = `${formatSince(at).padStart(9)}  ${text}\n`;
      if (file === undefined || file.bytes > MOST_BYTES) return;
      file.bytes += line.length;
      file.write(file.bytes > MOST_BYTES ? 'the log is cut here: it has 64 MiB\n' : line);
    },
    close(): void {
      for (const { close } of files.values()) close();
    },
  };
}
