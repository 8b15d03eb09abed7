import { UNREACHABLE } from '#domain/base/connection.ts';
import { passwordHash } from '#contract/passwordHash.ts';
import { names, takeFlash, clearStorage } from '#console/storage.ts';
import { describeObstacle, hasPasskeys, signChallenge } from '#ui/passkey/passkey.ts';
import { setToken, token } from '#ui/api/token.ts';
import './login.css';

/** The sign-in page. It does not use the kit, so that it appears at once; it fetches the console's files while a person types. */
const part = <T extends HTMLElement>(id: string) => document.getElementById(id) as T;
const form = part<HTMLFormElement>('login');
const username = part<HTMLInputElement>('username');
const password = part<HTMLInputElement>('password');
const keep = part<HTMLInputElement>('keep');
const code = part<HTMLInputElement>('code');
const trust = part<HTMLInputElement>('trust');
const error = part('error');
const go = part<HTMLButtonElement>('go');
const passkey = part<HTMLButtonElement>('passkey');

const show = (place: HTMLElement, text: string) => {
  place.textContent = text;
  place.hidden = text === '';
};

function refuse(text: string, field: HTMLInputElement) {
  show(error, text);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', field === password ? 'error caps' : 'error');
  field.focus();
  field.select();
}

/** What the account may use in the second step, and whether this browser may skip it from now on. */
interface Means {
  hascode?: boolean;
  haspasskey?: boolean;
  cantrust?: boolean;
}
/** Proof of the correct password; empty in the first step. It is valid for three minutes. */
let challenge = '';
const step = (next: string, { hascode = true, haspasskey = false, cantrust = false }: Means = {}) => {
  challenge = next;
  passkey.hidden = !hasPasskeys() || (next !== '' && !haspasskey);
  passkey.textContent = next ? '用通行密钥验证' : '用通行密钥登录';
  part('secondText').textContent = hascode
    ? '密码正确。请打开手机上的验证码应用，输入 6 位动态验证码；手机不在身边时可输入恢复码。'
    : '密码正确。请用通行密钥验证；设备不在身边时可输入恢复码。';
  part('codeLabel').textContent = hascode ? '动态验证码' : '恢复码';
  part('trustLabel').hidden = !cantrust;
  trust.checked = false;
  part('first').hidden = next !== '';
  part('second').hidden = next === '';
  code.value = '';
  (next ? (hascode || passkey.hidden ? code : passkey) : password).focus();
  working(false);
};
part('back').addEventListener('click', () => {
  show(error, '');
  step('');
});

let busy = false;
const working = (on: boolean) => {
  busy = on;
  go.textContent = on ? '登录中…' : challenge ? '验证并登录' : '登录';
  go.setAttribute('aria-disabled', String(on));
};

form.addEventListener('submit', (event) => {
  event.preventDefault();
  if (busy) return;
  show(error, '');
  for (const field of [username, password, code]) field.removeAttribute('aria-invalid');
  if (challenge && code.value.trim() === '') return refuse('请输入动态验证码或恢复码', code);
  if (username.value.trim() === '') return refuse('请输入账号', username);
  if (password.value === '') return refuse('请输入密码', password);
  working(true);
  void signIn().finally(() => working(false));
});

/** Codes of contract/problem.ts: the password was right and a code is needed; the time for the code is over. */
const SECOND_STEP = 110009;
const LAPSED = 110013;
type SignedIn = Means & { token?: string; challenge?: string };
interface Answer<D = SignedIn> {
  errorCode: number;
  errorMsg?: string;
  data?: D;
}
const send = <D = SignedIn>(action: string, body: object): Promise<Answer<D> | undefined> =>
  fetch(`/api/as.m.user.${action}/1.0.0/action`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(600_000),
  })
    .then((response) => response.json() as Promise<Answer<D>>)
    .catch(() => undefined);

/** The proof of the password, and whether to trust this browser. */
const secondStep = () => ({ challenge, ...(trust.checked ? { trust: 1 } : {}) });

async function signIn(): Promise<void> {
  const name = username.value.trim();
  await enter(
    challenge
      ? await send('verifySecondFactor', { ...secondStep(), code: code.value.trim() })
      : await send('login', { username: name, pwd: passwordHash(password.value) }),
    name,
  );
}

passkey.addEventListener('click', () => {
  if (busy) return;
  show(error, '');
  for (const field of [username, password, code]) field.removeAttribute('aria-invalid');
  working(true);
  void signInByPasskey().finally(() => working(false));
});

/** Signs in by a passkey: alone, or as the second step. */
async function signInByPasskey(): Promise<void> {
  const begun = await send<Parameters<typeof signChallenge>[0] & { origin: string }>(
    'beginPasskeySignIn',
    challenge ? { challenge } : {},
  );
  if (begun?.errorCode === LAPSED) step('');
  if (begun?.errorCode !== 0 || !begun.data) return show(error, begun?.errorMsg ?? UNREACHABLE);
  const { origin, ...options } = begun.data;
  const obstacle = describeObstacle(origin);
  if (obstacle) return show(error, obstacle);
  try {
    const credential = await signChallenge(options);
    const answer = await send('signInByPasskey', { ...(challenge ? secondStep() : {}), credential });
    if (answer?.errorCode === LAPSED) step('');
    if (answer?.errorCode !== 0) return show(error, answer?.errorMsg ?? UNREACHABLE);
    await enter(answer, username.value.trim());
  } catch (refusal) {
    show(error, refusal instanceof Error ? refusal.message : 'Error');
  }
}

/** Continues with the answer to a sign-in: the console, the second step, or the refusal at its field. */
async function enter(answer: Answer | undefined, name: string): Promise<void> {
  const field = challenge ? code : password;
  if (!answer) return refuse(UNREACHABLE, field);
  if (answer.errorCode === SECOND_STEP && answer.data?.challenge) return step(answer.data.challenge, answer.data);
  if (answer.errorCode === LAPSED) step('');
  if (answer.errorCode !== 0 || !answer.data?.token) return refuse(answer.errorMsg || 'Error', challenge ? code : password);
  clearStorage();
  const { token: given, ...record } = answer.data as { token: string; sysusername?: string; username?: string };
  const rememberedName = name || record.sysusername || record.username;
  if (keep.checked) localStorage.setItem(names.remember, JSON.stringify({ username: rememberedName }));
  else localStorage.removeItem(names.remember);
  setToken(given);
  sessionStorage.setItem(names.signedIn, JSON.stringify(record));
  location.replace('/');
}

part('reveal').addEventListener('click', (event) => {
  const isShown = password.type === 'text';
  password.type = isShown ? 'password' : 'text';
  const button = event.currentTarget as HTMLElement;
  button.setAttribute('aria-pressed', String(!isShown));
  button.setAttribute('aria-label', isShown ? '显示密码' : '隐藏密码');
});

for (const kind of ['keydown', 'keyup'] as const)
  password.addEventListener(kind, (event) => {
    part('caps').hidden = !event.getModifierState('CapsLock');
  });
password.addEventListener('blur', () => {
  part('caps').hidden = true;
});

/** An account of the demonstration (`getDemoAccounts`). */
interface DemoAccount {
  loginname: string;
  title: string;
  look: string;
}

/** On the demonstration: offers its accounts. One click signs in; the server accepts that nowhere else. */
async function offerDemoAccounts(): Promise<void> {
  const accounts = (await send<DemoAccount[]>('getDemoAccounts', {}))?.data ?? [];
  if (accounts.length === 0) return;
  part('accountList').replaceChildren(
    ...accounts.map(({ loginname, title, look }) => {
      const button = document.createElement('button');
      button.type = 'button';
      for (const [tag, text] of [
        ['b', title],
        ['span', look],
        ['small', loginname],
      ] as const) {
        const line = document.createElement(tag);
        line.textContent = text;
        button.append(line);
      }
      button.addEventListener('click', () => {
        if (busy) return;
        show(error, '');
        working(true);
        void send('loginDemo', { username: loginname })
          .then((answer) => enter(answer, loginname))
          .finally(() => working(false));
      });
      const item = document.createElement('li');
      item.append(button);
      return item;
    }),
  );
  part('accounts').hidden = false;
  document.body.classList.add('offers');
}

function rememberedName(): string {
  try {
    return (JSON.parse(localStorage.getItem(names.remember) ?? 'null') as { username?: string } | null)?.username ?? '';
  } catch {
    return '';
  }
}

/**
 * The console's files; the build writes their names into the page. The browser caches them for good, because a name contains a
 * hash.
 */
function warm(): void {
  const files = document.querySelector<HTMLMetaElement>('meta[name=warm]')?.content.split(' ') ?? [];
  for (const file of files)
    void fetch(file, { priority: 'low' } as RequestInit).then(
      (answer) => answer.blob(),
      () => undefined,
    );
}

// The browser may restore this page from its cache after a sign-in.
addEventListener('pageshow', (event) => event.persisted && token() && location.replace('/'));

if (token()) location.replace('/');
else {
  const kept = rememberedName();
  username.value = kept || (sessionStorage.getItem(names.account) ?? '');
  keep.checked = kept !== '';
  passkey.hidden = !hasPasskeys();
  (username.value ? password : username).focus();
  show(part('note'), takeFlash()?.text ?? '');
  addEventListener('load', () => setTimeout(warm, 300));
  fetch('/readyz')
    .then((answer) => answer.json() as Promise<{ demo?: boolean }>)
    .then(({ demo }) => {
      part('demo').hidden = !demo;
      if (demo) void offerDemoAccounts();
    })
    .catch(() => undefined);
}
