/** A served cluster: the connection, the controls of its time, and a login if it requires one. */
import { advance, logIn } from '../live.ts';
import { go } from '../actions.ts';
import { since } from '../model/words.ts';
import { here, live, model } from '../state.ts';

const STRETCHES = [
  ['+1 s', '1s'],
  ['+10 s', '10s'],
  ['+1 min', '1m'],
  ['+1 h', '1h'],
] as const;

export function Live() {
  const now = live.value;
  if (now === undefined) return null;
  if (now.is === 'login') return <Login message={now.message} />;
  return (
    <div class="live">
      <h1>This cluster, live</h1>
      {now.is === 'live' ? <Time /> : <p role="status">{now.is === 'lost' ? 'The server does not answer. Retrying …' : 'Connecting …'}</p>}
    </div>
  );
}

function Time() {
  const now = live.value;
  const of = model.value;
  if (now?.is !== 'live' || of === undefined) return null;
  return (
    <>
      <p>
        It is <b>{since(of.run.lengthMs)}</b> after its start, on a clock that is <b>{now.clock}</b>.
        {now.settled ? ' Only heartbeats are pending.' : ''}
      </p>
      <div class="seeds" role="group" aria-label="Let time pass">
        {STRETCHES.map(([name, by]) => (
          <button class="button" onClick={() => void advance({ by })}>
            {name}
          </button>
        ))}
        <button class="button" onClick={() => void advance({ until: 'settled', by: '1h' })}>
          until it settles
        </button>
      </div>
      {now.message !== undefined && <p role="alert">{now.message}</p>}
      {here.value < of.length && (
        <button class="button primary" onClick={() => go(of.length)}>
          To the present
        </button>
      )}
      <p class="quiet">What clients do appears here as it happens:</p>
      <pre class="code">kubectl --server {location.origin} get pods</pre>
      {now.domain !== 'k8s.io' && <p class="quiet">(kubectl knows clusters that were started with --domain k8s.io)</p>}
    </>
  );
}

function Login({ message }: { readonly message: string }) {
  return (
    <form
      class="live login"
      onSubmit={(event) => {
        event.preventDefault();
        const field = event.currentTarget.elements.namedItem('token');
        if (field instanceof HTMLInputElement) logIn(field.value.trim());
      }}
    >
      <h1>Log in</h1>
      <p role="status">{message}</p>
      <label>
        A token: from the file given with <code>--auth</code>, or of a service account
        <input class="field" name="token" type="password" autocomplete="off" required />
      </label>
      <button class="button primary" type="submit">
        Log in
      </button>
    </form>
  );
}
