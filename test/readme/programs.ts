/**
 * Commands that are programs of their own, run as a reader would run them: one after another in one folder, servers in the background until
 * the end. What the document calls port 8080 and up are free ports here.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { wordsOf } from './shell.ts';

export interface Programs {
  /** Why a command cannot be run here; undefined: it can. */
  lacks(command: string): string | undefined;
  /** Runs it and answers what it printed; of one in the background, once it can be connected to. */
  run(command: string): Promise<{ readonly out: string; readonly code: number | null }>;
  /** Ends what is still running. */
  close(): void;
}

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => {
        resolve(port);
      });
    });
  });

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });

export function programsIn(folder: string, root: string): Programs {
  const running: ChildProcess[] = [];
  const ports = new Map<string, number>();
  /** Servers that could not be started, so that what asks them is not run either. */
  const missing = new Set<string>();
  const script = (command: string): string =>
    command
      .replace(/^npx orchsim /, `'${process.execPath}' '${join(root, 'bin/orchsim.js')}' `)
      .replace(/^npx (\S+)/, (_, name: string) => `'${join(root, 'node_modules/.bin', name)}'`)
      .replace(/\b80[89]\d\b/g, (port) => String(ports.get(port) ?? port));
  const portsOf = (command: string): readonly string[] => [
    ...(command.match(/\b80[89]\d\b/g) ?? []),
    ...(/ serve /.test(command) && !command.includes('--port') ? ['8080'] : []),
  ];

  return {
    lacks(command) {
      const [first = '', second = ''] = wordsOf(command);
      const program = first === 'npx' ? second : first;
      // A package may have come without the program of this platform.
      const here =
        program === 'orchsim' ||
        spawnSync('sh', ['-c', first === 'npx' ? `'${join(root, 'node_modules/.bin', program)}' --version` : `command -v ${program}`])
          .status === 0;
      const unserved = portsOf(command).find((port) => missing.has(port));
      if (!here && command.endsWith(' &')) for (const port of portsOf(command)) missing.add(port);
      return !here ? `${program} is not installed` : unserved === undefined ? undefined : `nothing serves port ${unserved}`;
    },
    async run(command) {
      for (const port of portsOf(command)) if (!ports.has(port)) ports.set(port, await freePort());
      if (!command.endsWith(' &')) {
        const { stdout, stderr, status } = spawnSync('sh', ['-c', script(command)], { cwd: folder, encoding: 'utf8', timeout: 30_000 });
        return { out: stdout + stderr, code: status };
      }
      const [port = ''] = portsOf(command);
      const actual = String(ports.get(port) ?? 0);
      const line = script(command.slice(0, -2));
      // A group of its own, so that ending it also ends what it starts.
      running.push(
        spawn('sh', ['-c', `${line}${command.includes('--port') ? '' : ` --port ${actual}`}`], {
          cwd: folder,
          stdio: 'ignore',
          detached: true,
        }),
      );
      for (let tries = 0; tries < 200; tries++) {
        await later(50);
        if (
          await fetch(`http://127.0.0.1:${actual}/healthz`).then(
            () => true,
            () => false,
          )
        )
          return { out: '', code: 0 };
      }
      return { out: `nothing answers on port ${actual}`, code: null };
    },
    close() {
      for (const { pid } of running) if (pid !== undefined) process.kill(-pid);
    },
  };
}
