/** Firefox of the system by Marionette, its own protocol: lines of JSON with their length over TCP. Tests skip by name without it. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const executable = ['/usr/bin/firefox-esr', '/usr/bin/firefox'].find((path) => existsSync(path));
export const hasFirefox = executable !== undefined;
if (!hasFirefox) console.log('test/surfaces/page skipped in Firefox: there is none in /usr/bin (apt-get install firefox-esr)');

export interface Firefox {
  open(address: string): Promise<void>;
  /** Runs the body of a function in the page, and returns what it returns. */
  run(body: string): Promise<unknown>;
  /** Runs it until it returns something true, and returns that. */
  until(body: string): Promise<unknown>;
  /** Presses a key, with its name in the WebDriver specification or as a character. */
  press(key: string): Promise<void>;
  close(): Promise<void>;
}

/** Starts a Firefox with an empty profile. */
export async function startFirefox(): Promise<Firefox> {
  const profile = mkdtempSync(join(tmpdir(), 'orchsim-firefox-'));
  // Port 0: Firefox chooses a free one, and writes it into the profile.
  writeFileSync(join(profile, 'user.js'), PREFERENCES.map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${value});\n`).join(''));
  const browser = spawn(executable ?? '', ['--headless', '--no-remote', '--marionette', '--profile', profile], { stdio: 'ignore' });
  const ended = new Promise<void>((done) => browser.once('exit', () => done()));
  const say = await sayer(await soon(() => portIn(profile)));
  await say('WebDriver:NewSession', {});
  const run = async (body: string): Promise<unknown> => {
    const { value } = (await say('WebDriver:ExecuteScript', { script: body, args: [], sandbox: null, newSandbox: false })) as {
      readonly value: unknown;
    };
    return value;
  };
  return {
    open: async (url) => void (await say('WebDriver:Navigate', { url })),
    run,
    until: (body) => soon(async () => (await run(body)) || undefined),
    press: async (key) => {
      const actions = ['keyDown', 'keyUp'].map((type) => ({ type, value: key }));
      await say('WebDriver:PerformActions', { actions: [{ type: 'key', id: 'keys', actions }] });
    },
    async close() {
      await say('Marionette:Quit', { flags: ['eForceQuit'] }).catch(() => browser.kill());
      await ended;
      rmSync(profile, { recursive: true, force: true });
    },
  };
}

/** No first-run pages and no requests of its own. */
const PREFERENCES: readonly (readonly [string, string])[] = [
  ['marionette.port', '0'],
  ['app.update.enabled', 'false'],
  ['browser.shell.checkDefaultBrowser', 'false'],
  ['browser.startup.page', '0'],
  ['datareporting.policy.dataSubmissionEnabled', 'false'],
  ['toolkit.telemetry.enabled', 'false'],
  ['network.captive-portal-service.enabled', 'false'],
  ['network.connectivity-service.enabled', 'false'],
];

/** The port once Firefox listens; it writes it into the preferences. */
async function portIn(profile: string): Promise<number | undefined> {
  const file = join(profile, 'MarionetteActivePort');
  const port = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  return port > 0 ? port : undefined;
}

const PATIENCE = 60_000;

/** Asks until there is an answer. */
async function soon<T>(ask: () => Promise<T | undefined>): Promise<T> {
  const from = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (performance.now() - from > PATIENCE) throw new Error('Firefox: no answer within a minute');
    await new Promise((done) => setTimeout(done, 60));
  }
}

type Say = (command: string, parameters: unknown) => Promise<unknown>;

/** Connects, and returns what sends a command and waits for its answer. */
async function sayer(port: number): Promise<Say> {
  const socket: Socket = connect(port, '127.0.0.1');
  const asked = new Map<number, { readonly done: (value: unknown) => void; readonly fail: (error: Error) => void }>();
  let rest = Buffer.alloc(0);
  let last = 0;
  let greeted: (() => void) | undefined;
  const greeting = new Promise<void>((done) => (greeted = done));
  socket.on('data', (data: Buffer) => {
    rest = Buffer.concat([rest, data]);
    for (;;) {
      const colon = rest.indexOf(':');
      const length = colon < 0 ? NaN : Number(rest.subarray(0, colon).toString());
      if (!(rest.length >= colon + 1 + length)) return;
      const message = JSON.parse(rest.subarray(colon + 1, colon + 1 + length).toString()) as unknown;
      rest = rest.subarray(colon + 1 + length);
      if (!Array.isArray(message)) greeted?.();
      else {
        const [, id, error, result] = message as [number, number, { readonly message: string } | null, unknown];
        const asker = asked.get(id);
        asked.delete(id);
        if (error === null) asker?.done(result);
        else asker?.fail(new Error(`Firefox: ${error.message}`));
      }
    }
  });
  socket.on('error', (error) => {
    for (const { fail } of asked.values()) fail(error);
    asked.clear();
  });
  await greeting;
  return (command, parameters) =>
    new Promise((done, fail) => {
      const id = ++last;
      asked.set(id, { done, fail });
      const text = JSON.stringify([0, id, command, parameters]);
      socket.write(`${Buffer.byteLength(text)}:${text}`);
    });
}
